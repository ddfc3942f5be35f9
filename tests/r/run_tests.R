# The tests of the package, the examples of its manual and of docs/r.md, as TAP:
#     run_tests.R FIRST SOURCE BUILD
arguments <- commandArgs(TRUE)
number <- as.integer(arguments[1])
source_folder <- arguments[2]
english <- file.path(arguments[3], "models", "english.dodona")
failed <- FALSE

say <- function(name, problem = NULL, skipped = NULL) {
  cat(if (length(problem)) "not ok " else "ok ", number, " - ", name, if (length(skipped)) paste(" # SKIP", skipped), "\n",
      sep = "")
  if (length(problem)) cat(paste("#", unlist(strsplit(problem, "\n"))), sep = "\n")
  number <<- number + 1L
  failed <<- failed || length(problem) > 0
}

results <- testthat::test_dir(file.path(source_folder, "bindings", "r", "tests", "testthat"), package = "dodona",
                              load_package = "installed", reporter = "silent", stop_on_failure = FALSE)
for (one in results) {
  of_class <- function(class) Filter(function(result) inherits(result, class), one$results)
  text <- function(results) if (length(results)) paste(vapply(results, conditionMessage, ""), collapse = "\n")
  bad <- c(of_class("expectation_failure"), of_class("expectation_error"), of_class("expectation_warning"))
  say(paste0(sub("^test-(.*)\\.R$", "\\1", one$file), ": ", one$test), text(bad),
      if (!length(bad)) gsub("\n", " ", text(of_class("expectation_skip"))))
}

grDevices::pdf(NULL)
examples <- tryCatch({
  for (topic in c("dodona", "dodona_load_model", "as_conllu", "dodona_train", "plot.dodona"))
    capture.output(utils::example(topic, package = "dodona", character.only = TRUE, ask = FALSE, echo = FALSE))
  NULL
}, error = conditionMessage)
say("the examples of the manual run", examples)

# The blocks of docs/r.md that are R, one after the other, as a reader would type them.
blocks <- function(file) {
  lines <- readLines(file, encoding = "UTF-8")
  opens <- which(lines == "```r")
  closes <- which(lines == "```")
  lapply(opens, function(open) lines[seq_len(min(closes[closes > open]) - open - 1) + open])
}
if (file.exists(english)) {
  Sys.setenv(DODONA_MODELS = dirname(english))
  space <- new.env()
  problem <- tryCatch({
    for (block in blocks(file.path(source_folder, "docs", "r.md"))) {
      block <- grep("^library\\(udpipe\\)", block, value = TRUE, invert = TRUE)
      if (!requireNamespace("udpipe", quietly = TRUE)) block <- block[!grepl("# udpipe$", block)]
      capture.output(eval(parse(text = block, encoding = "UTF-8"), space))
    }
    NULL
  }, error = function(e) paste(deparse(conditionCall(e))[1], conditionMessage(e)))
  say("the examples of docs/r.md run", problem)
} else {
  say("the examples of docs/r.md run", skipped = "the English model was not built")
}
cat("1..", number - 1L, "\n", sep = "")
quit(status = as.integer(failed))
