import {serve} from "./remote.js";

serve({
  post: message => self.postMessage(message),
  listen: onMessage => {
    self.onmessage = ({data}) => onMessage(data);
  },
});
