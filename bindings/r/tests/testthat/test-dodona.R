test_that("the data frame is that of udpipe", {
  x <- dodona(c(a = "The king doesn't sing. Birds sing.", b = "The cat sleeps."), toy())
  expect_s3_class(x, "data.frame")
  expect_identical(names(x), udpipe_columns)
  expect_identical(unname(vapply(x, typeof, "")), udpipe_types)
  expect_identical(unique(x$doc_id), c("a", "b"))
  expect_identical(x$sentence[x$doc_id == "b"][1], "The cat sleeps.")
  expect_identical(x$sentence_id[x$token == "Birds"], 2L)
  expect_identical(x$term_id[x$doc_id == "b"], 1:4)
  expect_true(any(x$head_token_id == "0" & x$dep_rel == "root", na.rm = TRUE))
})

test_that("multiword tokens have a row without tags, and their words no place", {
  x <- dodona("The king doesn't sing.", toy())
  expect_identical(x$token_id, c("1", "2", "3-4", "3", "4", "5", "6"))
  whole <- x[x$token_id == "3-4", ]
  expect_identical(whole$token, "doesn't")
  expect_true(is.na(whole$upos) && is.na(whole$head_token_id) && is.na(whole$lemma))
  expect_identical(c(whole$start, whole$end), c(10L, 16L))
  expect_true(all(is.na(x$start[x$token_id %in% c("3", "4")])))
})

test_that("start and end are characters of the document", {
  texts <- c(a = "  K\u00f6nige\t\u00a0singen \U0001f600 here.\r\n\r\nThe  cat\nsleeps.", b = "Birds sing.")
  x <- dodona(texts, toy())
  there <- !is.na(x$start)
  expect_gt(sum(there), 9)
  expect_identical(substr(texts[x$doc_id[there]], x$start[there], x$end[there]), setNames(x$token, x$doc_id)[there])
})

test_that("documents are named by doc_id, names, or their number", {
  ids <- function(...) unique(dodona(..., model = toy())$doc_id)
  expect_identical(ids(c("Birds sing.", "Birds sing.")), c("doc1", "doc2"))
  expect_identical(ids(c("Birds sing.", "Birds sing."), doc_id = 7:8), c("7", "8"))
  expect_identical(ids(data.frame(doc_id = c("x", "\u00fc y"), text = c("Birds sing.", "A cat."))), c("x", "\u00fc y"))
  expect_identical(ids(factor("Birds sing.")), "doc1")
  expect_error(ids("Birds sing.", doc_id = 1:2), "1 documents, but 2", class = "dodona_error")
  expect_warning(ids(c(a = "Birds sing.", a = "A cat.")), "several documents")
})

test_that("documents without text have no rows", {
  x <- dodona(c("", NA, " \n", "\u00a0", "Birds sing.", "\t"), toy())
  expect_identical(unique(x$doc_id), "doc5")
  for (none in list(character(), "", NA_character_, NA, list(), data.frame(doc_id = character(), text = character()))) {
    x <- dodona(none, toy())
    expect_identical(dim(x), c(0L, 17L))
    expect_identical(names(x), udpipe_columns)
    expect_identical(unname(vapply(x, typeof, "")), udpipe_types)
  }
  expect_error(dodona(NULL, toy()), class = "dodona_error")
  expect_error(dodona(1:3, toy()), "character vector", class = "dodona_error")
})

test_that("every encoding ends in UTF-8", {
  latin <- "K\xf6nige sing."
  Encoding(latin) <- "latin1"
  expect_identical(dodona(latin, toy())$token[1], "K\u00f6nige")
  bytes <- "K\xc3\xb6nige sing."
  Encoding(bytes) <- "bytes"
  expect_identical(dodona(bytes, toy())$token[1], "K\u00f6nige")
  broken <- "K\xf6nige sing."
  Encoding(broken) <- "unknown"
  if (!isTRUE(l10n_info()$`Latin-1`)) {
    expect_warning(x <- dodona(c(bad = broken), toy()), "invalid UTF-8 .*bad")
    expect_identical(x$token[1], "K\ufffdnige")
    expect_true(all(validUTF8(x$token)))
  }
  expect_identical(dodona("\u53e5 sing.", toy())$token[1], "\u53e5")
})

test_that("tokens can be given", {
  x <- dodona(list(a = c("The", "New York", "birds"), b = character(), c = c("Birds", "sing", "", "A", "cat")), toy())
  expect_identical(x$token, c("The", "New York", "birds", "Birds", "sing", "A", "cat"))
  expect_identical(x$doc_id, rep(c("a", "c"), c(3, 4)))
  expect_identical(x$sentence_id, c(1L, 1L, 1L, 1L, 1L, 2L, 2L))
  expect_identical(x$sentence[1], "The New York birds")
  expect_identical(x$start[1:3], c(1L, 5L, 14L))
  split <- dodona(list(c("The", "king", "doesn't", "sing")), toy(), given = "tokens")
  expect_true("3-4" %in% split$token_id)
})

test_that("a data frame of tokens keeps its tags", {
  x <- dodona(data.frame(token = c("Birds", "sing"), upos = c("VERB", "NOUN")), toy())
  expect_identical(x$upos, c("VERB", "NOUN"))
  again <- dodona(data.frame(token = c("Birds", "sing"), upos = c("VERB", "NOUN")), toy(), tag = TRUE)
  expect_identical(again$upos, dodona(list(c("Birds", "sing")), toy())$upos)
  x <- dodona(c(d = "The king doesn't sing. Birds sing."), toy())
  expect_equal(dodona(x, toy()), x)
  expect_error(dodona(data.frame(a = 1), toy()), "no column 'token'", class = "dodona_error")
  expect_error(dodona(data.frame(token = " x"), toy()), "tokens:", class = "dodona_error")
})

test_that("options are those of the library, and checked", {
  expect_true(all(c("given", "paragraphs", "beam", "tidy", "tag", "scores", "threads") %in% dodona_options()$name))
  expect_false("ranges" %in% dodona_options()$name)
  text <- "Birds sing\nThe cat sleeps"
  expect_identical(max(dodona(text, toy(), given = "sentences")$sentence_id), 2L)
  expect_identical(max(dodona(text, toy(), paragraphs = "line")$paragraph_id), 2L)
  expect_match(dodona(text, toy(), scores = TRUE)$misc[1], "Score=")
  expect_equal(dodona(text, toy(), threads = 2, beam = 4, tidy = TRUE), dodona(text, toy(), beam = 4, tidy = TRUE))
  expect_equal(dodona(text, toy(), threads = "auto", tidy = NULL), dodona(text, toy()))
  expect_error(dodona(text, toy(), baem = 2), "did you mean 'beam'", class = "dodona_error")
  expect_error(dodona(text, toy(), beam = 0), "from 1 to 1000", class = "dodona_error")
  expect_error(dodona(text, toy(), given = "all"), "one of auto, text", class = "dodona_error")
  expect_error(dodona(text, toy(), tidy = 1), "TRUE or FALSE", class = "dodona_error")
  expect_error(dodona(text, toy(), "doc", 3), "options are named", class = "dodona_error")
  expect_error(dodona(text, toy(), keep_tokens = "no-such-file"), "no-such-file", class = "dodona_error")
})

test_that("constraints hold, or say why not", {
  x <- dodona(list(c("Birds", "sing")), toy(), constraints = "arc 0 root 1")
  expect_identical(x$head_token_id, c("0", "1"))
  x <- dodona("Birds  sing. Birds sing.", toy(), constraints = c("2: arc 0 _ 1", "not-arc 0 1"))
  expect_identical(x$head_token_id[c(1, 4)] == "0", c(FALSE, TRUE))
  expect_identical(x$start[2], 8L)
  expect_error(dodona("Birds sing.", toy(), constraints = c("arc 1 _ 2", "arc 2 _ 1")), "cycle", class = "dodona_error")
  expect_error(dodona("Birds sing.", toy(), constraints = "9: leaf 1"), "there are 1 sentences", class = "dodona_error")
})

test_that("text can be cut into tokens alone", {
  x <- dodona(c("The king doesn't sing. Birds sing.", " "), toy(), parse = FALSE)
  expect_identical(x$token[1:4], c("The", "king", "doesn't", "does"))
  expect_true(all(is.na(x$upos)) && all(is.na(x$head_token_id)))
})

test_that("long input is parsed piece by piece, to the same rows", {
  texts <- rep(c("The king doesn't sing.\n\nBirds sing.", "", "The cat sleeps."), 20)
  whole <- dodona(texts, toy())
  space <- environment(dodona)
  chunk <- get("CHUNK", space)
  unlockBinding("CHUNK", space)
  on.exit(assign("CHUNK", chunk, space))
  assign("CHUNK", 100, space)
  expect_equal(dodona(texts, toy()), whole)
  expect_equal(dodona(whole, toy())$dep_rel, whole$dep_rel)
  expect_output(dodona(texts, toy(), progress = TRUE), "100%")
})
