# Training and evaluation.

# A treebank is a file, or a data frame, which is written to a temporary one.
treebank_file <- function(x, call) {
  if (is.data.frame(x)) {
    file <- tempfile("treebank", fileext = ".conllu")
    as_conllu(x, file)
    return(file)
  }
  if (!is_text(x)) refuse("a treebank is the name of a file, or a data frame with a row for each token", call = call)
  path.expand(x)
}

is_temporary <- function(x) is.data.frame(x)

dodona_train <- function(train, dev = NULL, ..., progress = interactive()) {
  call <- sys.call()
  given <- list(...)
  given <- given[!vapply(given, is.null, NA)]
  if (length(given) > 0 && (is.null(names(given)) || !all(nzchar(names(given)))))
    refuse("settings are named, as in iterations = 5", call = call)
  if (is.data.frame(train)) train <- list(train)
  files <- vapply(train, treebank_file, "", call, USE.NAMES = FALSE)
  if (length(files) == 0) refuse("there is no treebank to learn from", call = call)
  dev_file <- if (!is.null(dev)) treebank_file(dev, call)
  on.exit(unlink(c(files[vapply(train, is_temporary, NA)], if (is_temporary(dev)) dev_file)))
  names <- gsub("_", "-", names(given), fixed = TRUE)
  values <- vapply(given, setting_value, "", USE.NAMES = FALSE)
  made <- unless_failed(.Call(C_train, files, dev_file, as.character(names), as.character(values),
                              isTRUE(progress)), call)
  model <- new_model(made$pointer, "trained")
  model$history <- as.data.frame(made$history)
  model
}

dodona_evaluate <- function(gold, system = NULL, given = c("auto", "text", "words", "tags"),
                            rule = c("conll2018", "conllx"), threads = 1) {
  call <- sys.call()
  given <- match(match.arg(given), c("auto", "text", "words", "tags")) - 1L
  rule <- match(match.arg(rule), c("conll2018", "conllx")) - 1L
  gold_file <- treebank_file(gold, call)
  is_parsed <- is.data.frame(system) || (is_text(system) && grepl("\\.conllu?x?(\\.gz|\\.zst)?$", system))
  other <- if (is_parsed) treebank_file(system, call) else pointer_of(dodona_load_model(system))
  on.exit(unlink(c(if (is_temporary(gold)) gold_file, if (is_temporary(system)) other)))
  metrics <- unless_failed(.Call(C_evaluate, gold_file, other, given, as.integer(threads), rule), call)
  about <- metrics$rule
  metrics$rule <- NULL
  metrics <- as.data.frame(metrics, stringsAsFactors = FALSE)
  attr(metrics, "rule") <- about
  metrics
}
