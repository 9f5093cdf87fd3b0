/** JSON of what `build/door-page.mjs` makes. The bundle has it; the sources build it when it is first asked for. */
declare const DOOR_FILES: string | undefined

/** A file of the scanner's page. */
export interface DoorFile {
  /** Below `/door/`; empty for the page itself. */
  path: string
  type: string
  /** Base64. */
  gzip: string
}

let made: Promise<ReadonlyMap<string, DoorFile>> | undefined

/** The files of the scanner's page by their paths. */
export function doorFiles(): Promise<ReadonlyMap<string, DoorFile>> {
  made ??= load().then(files => new Map(files.map(file => [file.path, file])))
  return made
}

async function load(): Promise<DoorFile[]> {
  if (typeof DOOR_FILES === 'string') return JSON.parse(DOOR_FILES)
  // By a name that is made here: a bundle takes in no builder.
  const builder = new URL('../../build/door-page.mjs', import.meta.url).href
  return ((await import(builder)) as { buildDoorPage(): Promise<{ files: DoorFile[] }> })
    .buildDoorPage()
    .then(({ files }) => files)
}
