import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Makes the names in a folder durable. Without it, a power cut could remove a file that was just made. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
