import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'

// Loaded into a server before the program: at the socket that LOOP_WATCH names, it tells whoever asks what the longest stop
// of the event loop was since it was asked before, in milliseconds.

let longest = 0
let last = performance.now()
let waited = waitedForCore()

function look(): void {
  const now = performance.now()
  const waitedNow = waitedForCore()
  longest = Math.max(longest, now - last - (waitedNow - waited))
  last = now
  waited = waitedNow
}

/** How long this thread was ready in all while the system ran others, in milliseconds: no stop of ours. Linux tells. */
function waitedForCore(): number {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}

setInterval(look, 1).unref()
createServer(socket => {
  socket.on('data', () => {
    look()
    socket.write(`${longest}\n`)
    longest = 0
  })
})
  .listen(process.env.LOOP_WATCH)
  .unref()
