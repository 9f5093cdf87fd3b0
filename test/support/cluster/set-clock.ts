import { readFileSync } from 'node:fs'

// A server loads this module before the program. Its machine's clock is ahead by the milliseconds that the file CLOCK has.

const { CLOCK = '' } = process.env
const right = Date.now
let ahead = 0
function read(): void {
  ahead = Number(readFileSync(CLOCK, 'utf8'))
}
read()
setInterval(read, 10).unref()
Date.now = () => right() + ahead
