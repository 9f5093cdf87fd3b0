import { createServer } from 'node:net'
import { TurnWatch } from './processor-time.ts'

// Loaded into a server before the program: at the socket that LOOP_WATCH names, it tells whoever asks what the longest stop
// of the event loop was since it was asked before, in milliseconds.

const watch = new TurnWatch()
setInterval(() => watch.look(), 1).unref()
createServer(socket => {
  socket.on('data', () => socket.write(`${watch.takeLongest()}\n`))
})
  .listen(process.env.LOOP_WATCH)
  .unref()
