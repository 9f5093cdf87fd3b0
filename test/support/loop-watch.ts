import { createServer } from 'node:net'
import { TurnWatch } from './processor-time.ts'

// A server loads this module before the program. At the socket that LOOP_WATCH names, it answers with the longest stop of the event
// loop since the last question, in milliseconds.

const watch = new TurnWatch()
setInterval(() => watch.look(), 1).unref()
createServer(socket => {
  socket.on('data', () => socket.write(`${watch.takeLongest()}\n`))
})
  .listen(process.env.LOOP_WATCH)
  .unref()
