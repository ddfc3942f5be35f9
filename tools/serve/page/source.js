// Where trees come from: a server. The page that has none brings another file of this name (tools/web).
export {serverBackend as openBackend} from "./backend.js";
