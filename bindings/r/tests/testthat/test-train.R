test_that("training tells how it went", {
  model <- dodona_train(demo_file("train"), dev = demo_file("test"), only = "parser", iterations = 2, system = "arc-hybrid")
  expect_identical(model$history$iteration, 1:2)
  expect_true(all(model$history$las > 50))
  expect_identical(dodona_info(model)$components, "parser")
  expect_identical(unname(dodona_info(model)$facts["system"]), "arc-hybrid")
  told <- capture.output(model <- dodona_train(demo_file("train"), only = "parser", iterations = 1, progress = TRUE), type = "message")
  expect_match(told, "iteration 1 of 1", all = FALSE)
})

test_that("a data frame is a treebank too", {
  train <- dodona_read_conllu(demo_file("train"))
  from_frame <- dodona_train(train, only = "parser", iterations = 1)
  from_file <- dodona_train(demo_file("train"), only = "parser", iterations = 1)
  expect_identical(dodona_info(from_frame)$labels, dodona_info(from_file)$labels)
})

test_that("settings are those of the library, and checked", {
  expect_true(all(c("iterations", "system", "start_from") %in% dodona_settings()$name))
  train <- function(...) dodona_train(demo_file("train"), ...)
  expect_error(train(itrations = 3), "iterations", class = "dodona_error")
  expect_error(train(iterations = 0), "iterations", class = "dodona_error")
  expect_error(train(system = "arc"), "system", class = "dodona_error")
  expect_error(train(NULL, 3), "settings are named", class = "dodona_error")
  expect_error(dodona_train("no-such-file.conllu"), "no-such-file", class = "dodona_error")
  expect_error(dodona_train(character()), "no treebank", class = "dodona_error")
  expect_error(dodona_train(NA), class = "dodona_error")
})

test_that("evaluation compares files, frames and models", {
  scores <- dodona_evaluate(demo_file("test"), demo_file("test"))
  expect_true(all(scores$f1 == 100))
  expect_true(nzchar(attr(scores, "rule")))
  las <- function(...) { s <- dodona_evaluate(...); s$f1[s$metric == "LAS"] }
  gold <- dodona_read_conllu(demo_file("test"))
  expect_equal(las(gold, dodona(gold, toy())), las(gold, toy(), given = "tags"))
  expect_gt(las(demo_file("test"), toy(), given = "text"), 40)
  expect_error(dodona_evaluate(demo_file("test"), "no-such.conllu"), "no-such", class = "dodona_error")
})
