# Models: in memory, by name, and what they are.

# Folders besides those that the library knows: the models of this package, and of the program.
model_folders <- function() {
  own <- system.file("models", package = "dodona")
  c(own[nzchar(own)], "/usr/local/share/dodona/models", "/usr/share/dodona/models")
}

# The pointer is in an environment, so that all copies of a model share it, also when it is loaded again.
new_model <- function(pointer, name, file = NULL) {
  handle <- new.env(parent = emptyenv())
  handle$pointer <- pointer
  structure(list(name = name, file = file, handle = handle), class = "dodona_model")
}

# After saveRDS or in another process a model is known by its file alone.
pointer_of <- function(model) {
  if (!.Call(C_is_loaded, model$handle$pointer)) {
    if (is.null(model$file)) refuse("this model is no longer in memory and was never saved", call = NULL)
    model$handle$pointer <- unless_failed(.Call(C_load, model$file), call = NULL)
  }
  model$handle$pointer
}

loaded <- new.env(parent = emptyenv())

# A file is loaded once, unless it has changed.
load_file <- function(file, call) {
  file <- path.expand(file)
  info <- file.info(file, extra_cols = FALSE)
  key <- paste(if (file.exists(file)) file_path_as_absolute(file) else file, info$size, as.numeric(info$mtime))
  if (is.null(loaded[[key]])) {
    pointer <- unless_failed(.Call(C_load, file), call)
    assign(key, new_model(pointer, sub("\\.dodona$", "", basename(file)), file_path_as_absolute(file)), loaded)
  }
  loaded[[key]]
}

how_to_get <- "\nA model is a file NAME.dodona in one of these folders; ?dodona_models tells how to get one."

find_model <- function(name, call) {
  found <- .Call(C_find_model, if (is.null(name)) NULL else path.expand(name), model_folders())
  if (inherits(found, "dodona_failure") && found$status == "input/output error")
    found$message <- paste0(found$message, how_to_get)
  unless_failed(found, call)$file
}

dodona_load_model <- function(name = NULL) {
  call <- sys.call()
  if (inherits(name, "dodona_model")) return(name)
  if (!is.null(name) && !is_text(name)) refuse("name is a file, a name or a language: one string", call = call)
  if (identical(name, "auto")) refuse("'auto' needs a text: dodona(x, \"auto\")", call = call)
  load_file(find_model(name, call), call)
}

# The model of the language that most of the text is in.
pick_model <- function(texts, call) {
  texts <- texts[!is.na(texts) & nzchar(texts)]
  sample <- paste(substr(utils::head(texts, 1000), 1, 10000), collapse = "\n")
  found <- unless_failed(.Call(C_pick_model, sample, model_folders()), call)
  message("dodona: model ", found$name)
  load_file(found$file, call)
}

choose_model <- function(model, texts, call) {
  if (inherits(model, "dodona_model")) return(model)
  if (is.null(model) && identical(Sys.getenv("DODONA_MODEL"), "auto")) model <- "auto"
  if (!is.null(model) && !is_text(model))
    refuse("model is a dodona_model, or the name, language or file of one", call = call)
  if (!identical(model, "auto")) return(load_file(find_model(model, call), call))
  valid <- texts[!is.na(texts) & validUTF8(texts)]
  if (!any(grepl("[^[:space:]]", valid))) return(load_file(find_model("english", call), call))
  pick_model(valid, call)
}

fact <- function(about, name) {
  value <- unname(about$facts[name])
  if (is.na(value)) NA_character_ else value
}

dodona_models <- function() {
  found <- unless_failed(.Call(C_list_models, model_folders()), sys.call())
  describe <- function(file) {
    pointer <- .Call(C_load, file)
    if (inherits(pointer, "dodona_failure")) {
      warning(pointer$message, call. = FALSE)
      return(list(facts = character(), size = NA_real_))
    }
    .Call(C_describe, pointer)
  }
  about <- lapply(found$file, describe)
  column <- function(name) vapply(about, fact, "", name)
  models <- data.frame(name = found$name, language = column("language"), treebank = column("treebank"),
                       licence = column("licence"), version = column("version"),
                       las = suppressWarnings(as.numeric(column("dev LAS"))),
                       size = vapply(about, function(one) one$size, 0), file = found$file,
                       stringsAsFactors = FALSE)
  attr(models, "folders") <- found$folders
  models
}

dodona_info <- function(model = NULL) {
  model <- dodona_load_model(model)
  about <- .Call(C_describe, pointer_of(model))
  structure(c(list(name = model$name, file = model$file), about), class = "dodona_info")
}

print.dodona_info <- function(x, ...) {
  lines <- c(name = x$name, file = x$file, x$facts)
  cat(paste0(format(names(lines)), "  ", lines, "\n"), sep = "")
  invisible(x)
}

print.dodona_model <- function(x, ...) {
  about <- .Call(C_describe, pointer_of(x))
  language <- fact(about, "language")
  cat("<dodona_model ", x$name, if (!is.na(language)) paste0(" (", language, ")"), ": ",
      paste(about$components, collapse = ", "), ">\n", sep = "")
  invisible(x)
}

dodona_save_model <- function(model, file) {
  if (!inherits(model, "dodona_model")) refuse("model is not a dodona_model")
  if (!is_text(file)) refuse("file is the name of a file: one string")
  file <- path.expand(file)
  unless_failed(.Call(C_save, pointer_of(model), file), sys.call())
  invisible(new_model(model$handle$pointer, sub("\\.dodona$", "", basename(file)), file_path_as_absolute(file)))
}
