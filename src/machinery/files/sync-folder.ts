import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Makes the names in a folder durable: without it a file that was just made could be lost with the power. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
