# From texts or tokens to a data frame of trees.

CHUNK <- 4e6 # bytes that are parsed in one call

# Numbers of the texts, in groups of about CHUNK bytes.
chunks_of <- function(texts) {
  if (length(texts) == 0) return(list(integer()))
  bytes <- nchar(texts, "bytes")
  bytes[is.na(texts)] <- 0
  before <- cumsum(as.numeric(bytes)) - bytes
  unname(split(seq_along(texts), floor(before / CHUNK)))
}

bind <- function(frames) {
  if (length(frames) == 1) return(frames[[1]])
  setNames(lapply(names(frames[[1]]), function(name) unlist(lapply(frames, `[[`, name), use.names = FALSE)),
           names(frames[[1]]))
}

# Parses piece by piece, so that memory stays small and there is something to tell.
parse_texts <- function(model, texts, ids, conllu, parse, options, progress, call) {
  pointer <- pointer_of(model)
  chunks <- chunks_of(texts)
  bar <- if (progress && length(chunks) > 1) txtProgressBar(max = length(chunks), style = 3)
  if (!is.null(bar)) on.exit(close(bar))
  frames <- vector("list", length(chunks))
  for (i in seq_along(chunks)) {
    here <- chunks[[i]]
    frames[[i]] <- unless_failed(.Call(C_parse, pointer, texts[here], if (conllu) ids else ids[here], conllu,
                                       parse, options), call)
    if (!is.null(bar)) setTxtProgressBar(bar, i)
  }
  as_frame(bind(frames))
}

# ---- what x can be ----------------------------------------------------------------------------

document_ids <- function(ids, n, call) {
  if (is.null(ids)) return(if (n == 0) character() else paste0("doc", seq_len(n)))
  if (length(ids) != n) refuse("there are ", n, " documents, but ", length(ids), " values of doc_id", call = call)
  ids <- to_utf8(ids)
  twice <- ids[duplicated(ids)]
  if (length(twice) > 0) warning("several documents have the doc_id '", twice[1], "'", call. = FALSE)
  ids
}

# list(texts, ids) or list(tokens), a data frame.
take_input <- function(x, doc_id, given, call) {
  if (is.factor(x)) x <- setNames(as.character(x), names(x))
  if (is.data.frame(x) && !is.null(x[["text"]])) {
    ids <- if (is.null(doc_id)) x[["doc_id"]] else doc_id
    return(list(texts = to_utf8(x[["text"]]), ids = document_ids(ids, nrow(x), call)))
  }
  if (is.data.frame(x)) return(list(tokens = complete_tokens(as.data.frame(x), call)))
  if (is.null(doc_id)) doc_id <- names(x)
  if (is.list(x)) return(take_tokens(x, document_ids(doc_id, length(x), call), given))
  if (is.null(x) || (!is.character(x) && !(is.atomic(x) && all(is.na(x)))))
    refuse("x is a character vector, a list of tokens, or a data frame with text or tokens", call = call)
  list(texts = to_utf8(x), ids = document_ids(doc_id, length(x), call))
}

# A list has the tokens of each document; "" ends a sentence.
take_tokens <- function(x, ids, given) {
  x <- lapply(x, function(tokens) to_utf8(tokens)[!is.na(tokens)])
  if (identical(given, "tokens")) {
    lines <- vapply(x, function(tokens) gsub(" ?\n ?", "\n", paste(ifelse(tokens == "", "\n", tokens), collapse = " ")), "")
    return(list(texts = to_utf8(unname(lines)), ids = ids))
  }
  tokens <- as.character(unlist(x, use.names = FALSE))
  document <- rep(seq_along(x), lengths(x))
  sentence <- as.integer(unlist(lapply(x, function(tokens) cumsum(tokens == "") + 1L), use.names = FALSE))
  kept <- which(nzchar(tokens))
  list(tokens = complete_tokens(data.frame(doc_id = ids[document][kept], .document = document[kept],
                                           sentence_id = sentence[kept], token = tokens[kept],
                                           stringsAsFactors = FALSE)))
}

# ---- constraints ------------------------------------------------------------------------------

# "2: arc 3 nsubj 2" is about the second sentence; without a number it is about the first.
constraint_comments <- function(constraints, sentences, call) {
  if (!is.character(constraints) || anyNA(constraints)) refuse("constraints are strings", call = call)
  numbered <- grepl("^[0-9]+: *", constraints)
  number <- rep(1, length(constraints))
  number[numbered] <- as.numeric(sub(":.*", "", constraints[numbered]))
  if (any(number < 1 | number > sentences))
    refuse("constraint '", constraints[number < 1 | number > sentences][1], "': there are ", sentences, " sentences",
           call = call)
  lines <- paste0("# constraint = ", one_line(sub("^[0-9]+: *", "", constraints)), "\n")
  comments <- character(sentences)
  for (i in seq_along(lines)) comments[number[i]] <- paste0(comments[number[i]], lines[i])
  comments
}

# ---- parsing ----------------------------------------------------------------------------------

# Heads are the parser's to find. Documents are counted, so that their names can be anything.
parse_tokens <- function(model, x, constraints, options, progress, call) {
  if (nrow(x) == 0) return(parse_texts(model, character(), character(), TRUE, TRUE, options, progress, call))
  x$head_token_id <- x$dep_rel <- x$deps <- rep(NA_character_, nrow(x))
  document <- x[[".document"]]
  if (is.null(document)) document <- cumsum(begins(x[["doc_id"]]))
  first <- begins(document, x[["sentence_id"]])
  head <- comment_lines(x, document, first, document)
  if (length(constraints) > 0)
    head[first] <- paste0(head[first], constraint_comments(constraints, sum(first), call))
  sentences <- sentence_texts(x, first, head)
  # A call takes whole documents.
  texts <- vapply(split(sentences, document[first]), paste0, "", collapse = "", USE.NAMES = FALSE)
  ids <- to_utf8(x[["doc_id"]])[match(seq_len(max(document)), document)]
  parse_texts(model, texts, ids, TRUE, TRUE, options, progress, call)
}

dodona <- function(x, model = NULL, doc_id = NULL, ..., constraints = NULL, parse = TRUE,
                   progress = interactive()) {
  call <- sys.call()
  given <- list(...)
  options <- parse_options(given, call)
  input <- take_input(x, doc_id, given$given, call)
  model <- choose_model(model, if (is.null(input$texts)) input$tokens$token else input$texts, call)
  if (!is.null(input$tokens)) {
    if (!parse) refuse("tokens are there already; parse = FALSE is for text", call = call)
    return(parse_tokens(model, input$tokens, constraints, options, progress, call))
  }
  warn_of_invalid(input$texts, input$ids)
  if (length(constraints) == 0)
    return(parse_texts(model, input$texts, input$ids, FALSE, parse, options, progress, call))
  if (!parse) refuse("constraints are about trees, and parse is FALSE", call = call)
  tokens <- parse_texts(model, input$texts, input$ids, FALSE, FALSE, options, progress, call)
  parsed <- parse_tokens(model, tokens, constraints, options, progress, call)
  kept <- c("doc_id", "paragraph_id", "sentence_id", "sentence", "start", "end", "misc")
  kept <- if (isTRUE(given$scores)) setdiff(kept, "misc") else kept
  parsed[kept] <- tokens[kept]
  parsed
}
