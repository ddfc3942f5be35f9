# CoNLL-U to and from data frames.

token_columns <- c("token_id", "token", "lemma", "upos", "xpos", "feats", "head_token_id", "dep_rel", "deps", "misc")

as_frame <- function(columns) {
  attr(columns, "row.names") <- .set_row_names(length(columns[[1]]))
  class(columns) <- c("dodona", "data.frame")
  columns
}

dodona_read_conllu <- function(file) {
  call <- sys.call()
  if (inherits(file, "connection")) file <- paste0(c(readLines(file, warn = FALSE), ""), collapse = "\n")
  if (!is_text(file)) refuse("file is the name of a file, a connection, or CoNLL-U as one string")
  read <- if (grepl("\n", file, fixed = TRUE, useBytes = TRUE)) .Call(C_read, NULL, to_utf8(file))
          else .Call(C_read, path.expand(file), NULL)
  as_frame(unless_failed(read, call))
}

# TRUE for each row that begins a new value of any of the columns.
begins <- function(...) {
  changes <- function(column) {
    column <- as.character(column)
    column[is.na(column)] <- ""
    c(TRUE, column[-1] != column[-length(column)])
  }
  if (length(..1) == 0) return(logical())
  Reduce(`|`, lapply(list(...), changes))
}

# What a frame of tokens must have, filled in where it can be told.
complete_tokens <- function(x, call) {
  if (is.null(x[["token"]])) refuse("the data frame has no column 'token'", call = call)
  n <- nrow(x)
  if (is.null(x[["doc_id"]])) x[["doc_id"]] <- rep("doc1", n)
  if (is.null(x[["sentence_id"]])) x[["sentence_id"]] <- rep(1L, n)
  first <- begins(x[["doc_id"]], x[["sentence_id"]])
  if (is.null(x[["token_id"]])) x[["token_id"]] <- if (n == 0) character() else sequence(rle(cumsum(first))$lengths)
  for (column in setdiff(token_columns, names(x))) x[[column]] <- rep(NA_character_, n)
  x
}

# The lines of each row, and comments before the first of a sentence; one string a sentence.
sentence_texts <- function(x, first, head) {
  cells <- lapply(token_columns, function(column) {
    cell <- to_utf8(x[[column]])
    cell[is.na(cell) | cell == ""] <- "_"
    cell
  })
  lines <- do.call(paste, c(cells, sep = "\t"))
  lines <- paste0(head, lines, "\n")
  sentence <- cumsum(first)
  paste0(vapply(split(lines, sentence), paste0, "", collapse = "", USE.NAMES = FALSE), "\n")
}

one_line <- function(x) gsub("[\r\n]+", " ", to_utf8(x))

# Comments for the rows that begin a sentence; "" for others. Documents are numbered, and called `names`.
comment_lines <- function(x, document, first, names) {
  head <- character(nrow(x))
  add <- function(rows, ...) head[rows] <<- paste0(head[rows], ..., "\n")
  begin <- begins(document)
  add(begin, "# newdoc id = ", names[begin])
  if (!is.null(x[["paragraph_id"]])) add(first & begins(document, x[["paragraph_id"]]), "# newpar")
  add(first, "# sent_id = ", one_line(x[["sentence_id"]][first]))
  if (is.null(x[["sentence"]])) return(head)
  known <- first & !is.na(x[["sentence"]])
  add(known, "# text = ", one_line(x[["sentence"]][known]))
  head
}

as_conllu <- function(x, file = NULL) {
  if (!is.data.frame(x)) refuse("x is a data frame with a row for each token")
  x <- complete_tokens(as.data.frame(x), sys.call())
  first <- begins(x[["doc_id"]], x[["sentence_id"]])
  sentences <- if (nrow(x) == 0) character() else
    sentence_texts(x, first, comment_lines(x, x[["doc_id"]], first, one_line(x[["doc_id"]])))
  if (is.null(file)) return(paste(sentences, collapse = ""))
  to <- if (grepl("\\.gz$", file)) gzfile(path.expand(file), "wb") else file(path.expand(file), "wb")
  on.exit(close(to))
  writeLines(sentences, to, sep = "", useBytes = TRUE)
  invisible(x)
}
