# Another R is interrupted, as this one runs the tests.
interrupted <- function(code) {
  skip_on_os("windows")
  skip_on_cran()
  folder <- tempfile("interrupt")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  model <- file.path(folder, "toy.dodona")
  dodona_save_model(toy(), model)
  script <- file.path(folder, "script.R")
  writeLines(c("library(dodona)", sprintf("model <- dodona_load_model(%s)", deparse(model)),
               sprintf("train <- %s", deparse(demo_file("train"))),
               sprintf("pid <- %s", deparse(file.path(folder, "pid"))),
               sprintf("ended <- tryCatch({ cat(Sys.getpid(), '\\n', file = pid); %s; 'finished' }, interrupt = function(i) 'interrupted')",
                       code),
               sprintf("cat(ended, nrow(dodona('Birds sing.', model)), '\\n', file = %s)", deparse(file.path(folder, "end")))),
             script)
  system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", shQuote(script)), wait = FALSE, stdout = FALSE, stderr = FALSE,
          env = paste0("R_LIBS=", paste(.libPaths(), collapse = ":")))
  wait <- function(file) for (i in 1:6000) if (file.exists(file) && file.size(file) > 0) return(TRUE) else Sys.sleep(0.05)
  wait(file.path(folder, "pid"))
  pid <- scan(file.path(folder, "pid"), quiet = TRUE)
  Sys.sleep(1)
  tools::pskill(pid, tools::SIGINT)
  if (!isTRUE(wait(file.path(folder, "end")))) tools::pskill(pid, tools::SIGKILL)
  readLines(file.path(folder, "end"))
}

endless <- "paste(rep('The king does not sing in the cold wind.', 2e5), collapse = ' ')"

test_that("an interrupt ends a parse, and R goes on", {
  expect_identical(interrupted(sprintf("dodona(%s, model)", endless)), "interrupted 3 ")
  expect_identical(interrupted(sprintf("dodona(%s, model, threads = 2)", endless)), "interrupted 3 ")
})

test_that("an interrupt ends training", {
  expect_identical(interrupted("dodona_train(train, only = 'parser', iterations = 1000000)"), "interrupted 3 ")
})
