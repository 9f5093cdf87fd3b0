import { type FileHandle, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { newUuid } from '#base/ids.ts'

/**
 * Opens a file for this process alone. It is gone when the process ends, however it ends, as it has a name only while it is made.
 *
 * @throws Error of the system
 */
export async function openUnnamed(folder: string): Promise<FileHandle> {
  const path = join(folder, `.turnout-${newUuid()}`)
  const file = await open(path, 'wx+', 0o600)
  try {
    await unlink(path)
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}
