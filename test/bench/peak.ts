import { writeSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import { memoryOf } from './memory.ts'

/** The file descriptor that the peak is written to. */
const PEAK = 3

// This is loaded before a command whose peak memory is measured. The command itself says at its end how much it was, because after
// the end the system does not know any more.
if (isMainThread) process.on('exit', () => writeSync(PEAK, String(memoryOf('self').peak)))
