# A toy that is trained once: good enough to show what the package does with any model.
Sys.setenv(DODONA_MODELS = tempfile("models"), DODONA_MODEL = "")
dir.create(Sys.getenv("DODONA_MODELS"))

demo_file <- function(name) {
  file <- system.file("examples", paste0("demo-", name, ".conllu"), package = "dodona")
  if (!nzchar(file)) testthat::skip("the package was installed without its examples")
  file
}

toy <- local({
  model <- NULL
  function() {
    if (is.null(model))
      model <<- dodona_train(demo_file("train"), iterations = 3, only = "all", jackknife = "no", language = "xx")
    model
  }
})

udpipe_columns <- c("doc_id", "paragraph_id", "sentence_id", "sentence", "start", "end", "term_id", "token_id",
                    "token", "lemma", "upos", "xpos", "feats", "head_token_id", "dep_rel", "deps", "misc")
udpipe_types <- c("character", "integer", "integer", "character", "integer", "integer", "integer",
                  rep("character", 10))
