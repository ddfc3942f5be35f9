# What stands between R and the library: failures, file names, texts.

# Failures of the library are errors of R, and interrupts stay interrupts.
unless_failed <- function(result, call) {
  if (!inherits(result, "dodona_failure")) return(result)
  if (result$status == "interrupted") {
    .Call(C_interrupt)
    stop("interrupted", call. = FALSE)
  }
  stop(errorCondition(result$message, status = result$status, line = result$line,
                      class = "dodona_error", call = call))
}

refuse <- function(..., call = sys.call(-1)) {
  stop(errorCondition(paste0(...), status = "invalid argument", line = NA_real_,
                      class = "dodona_error", call = call))
}

is_text <- function(x) is.character(x) && length(x) == 1 && !is.na(x)

# ", did you mean 'beam'?" if one of the known words is close.
suggestion <- function(written, known) {
  distance <- adist(written, known)
  near <- which.min(distance)
  if (length(near) == 0 || distance[near] > max(2, nchar(written) / 3)) return("")
  paste0(", did you mean '", known[near], "'?")
}

# In UTF-8 whatever the locale. Bytes that are valid UTF-8 are taken for that; what is neither that nor
# marked becomes UTF-8 if the locale says how, and else is left to the library, which replaces it.
to_utf8 <- function(x) {
  x <- as.character(x)
  if (length(x) == 0) return(x)
  raw <- Encoding(x) == "bytes"
  if (any(raw)) Encoding(x)[raw] <- "unknown"
  unknown <- Encoding(x) == "unknown"
  valid <- validUTF8(x)
  if (any(unknown & valid)) Encoding(x)[unknown & valid] <- "UTF-8"
  elsewhere <- !unknown | (!valid & isTRUE(l10n_info()$`Latin-1`))
  x[elsewhere] <- enc2utf8(x[elsewhere])
  x
}

warn_of_invalid <- function(x, ids) {
  bad <- which(!is.na(x) & !validUTF8(x))
  if (length(bad) == 0) return(invisible())
  shown <- paste(utils::head(ids[bad], 5), collapse = ", ")
  if (length(bad) > 5) shown <- paste0(shown, ", ...")
  warning("invalid UTF-8 was replaced in ", length(bad), ngettext(length(bad), " document (", " documents ("),
          shown, "); if they are in latin1, say Encoding(x) <- \"latin1\" first", call. = FALSE)
}
