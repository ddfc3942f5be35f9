test_that("CoNLL-U is read as udpipe reads it, and written", {
  x <- dodona_read_conllu(demo_file("test"))
  expect_identical(names(x), udpipe_columns)
  expect_type(x$sentence_id, "character")
  expect_identical(x$sentence_id[1], "demo-test-001")
  file <- tempfile(fileext = ".conllu")
  on.exit(unlink(file))
  as_conllu(x, file)
  expect_equal(dodona_read_conllu(file), x)
  expect_equal(dodona_read_conllu(as_conllu(x)), x)
  expect_equal(dodona_read_conllu(gzcon(file(file, "rb"))), x)
  lines <- function(text) grep("^[0-9]", strsplit(text, "\n")[[1]], value = TRUE)
  expect_identical(lines(as_conllu(x)), grep("^[0-9]", readLines(demo_file("test"), encoding = "UTF-8"), value = TRUE))
})

test_that("documents, paragraphs, empty nodes and white space are read", {
  text <- paste0("# newdoc id = a\n# newpar\n# sent_id = s1\n",
                 "1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\tSpacesAfter=\\s\\s\n1\tdo\t_\t_\t_\t_\t0\troot\t_\t_\n",
                 "2\tn't\t_\t_\t_\t_\t1\tadvmod\t_\t_\n2.1\tgo\t_\t_\t_\t_\t_\t_\t0:root\t_\n",
                 "3\tx\t_\t_\t_\t_\t1\tobj\t_\tSpaceAfter=No|A=b\n4\t.\t_\t_\t_\t_\t1\tpunct\t_\t_\n\n",
                 "# newpar\n1\t#1\t_\t_\t_\t_\t0\troot\t_\t_\n\n# newdoc\n1\tb\t_\t_\t_\t_\t0\troot\t_\t_\n\n")
  x <- dodona_read_conllu(text)
  expect_identical(x$doc_id, rep(c("a", "doc2"), c(7, 1)))
  expect_identical(x$sentence_id, rep(c("s1", "2", "1"), c(6, 1, 1)))
  expect_identical(x$paragraph_id, c(1L, 1L, 1L, 1L, 1L, 1L, 2L, 1L))
  expect_identical(x$sentence[c(1, 7)], c("don't x.", "#1"))
  expect_identical(x$start, c(1L, NA, NA, NA, 8L, 9L, 11L, 1L))
  expect_identical(x$end, c(5L, NA, NA, NA, 8L, 9L, 12L, 1L))
  expect_identical(x$deps[4], "0:root")
  expect_identical(x$misc[5], "SpaceAfter=No|A=b")
})

test_that("malformed CoNLL-U is refused with file and line", {
  file <- tempfile(fileext = ".conllu")
  on.exit(unlink(file))
  writeLines(c("1\ta\t_\t_\t_\t_\t0\troot\t_\t_", "x", ""), file)
  failure <- expect_error(dodona_read_conllu(file), class = "dodona_error")
  expect_match(conditionMessage(failure), paste0(basename(file), ":2: "), fixed = TRUE)
  expect_identical(failure$line, 2)
  expect_error(dodona_read_conllu("no-such-file.conllu"), "no-such-file", class = "dodona_error")
  expect_error(dodona_read_conllu(NA), class = "dodona_error")
  writeLines(character(), file)
  expect_identical(nrow(dodona_read_conllu(file)), 0L)
})

test_that("a frame needs nothing but tokens to be written", {
  expect_identical(as_conllu(data.frame(token = c("a", "b\u00fc"))),
                   paste0("# newdoc id = doc1\n# sent_id = 1\n1\ta", strrep("\t_", 8), "\n2\tb\u00fc", strrep("\t_", 8), "\n\n"))
  expect_identical(as_conllu(dodona("", toy())), "")
  expect_error(as_conllu("a"), class = "dodona_error")
})
