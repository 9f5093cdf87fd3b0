import type { Archive } from './archive.ts'
import { isBuiltInDate, isDateCode } from './cell-text.ts'
import { RichText } from './rich-text.ts'
import { SharedTexts } from './shared-texts.ts'
import { unreadable } from './unreadable.ts'
import { readXml, type XmlHandlers } from './xml.ts'

const USUAL_WORKBOOK = 'xl/workbook.xml'
/** The most sheets that are looked at, and the most formats of cells that Excel keeps. */
const MAX_SHEETS = 200
const MAX_FORMATS = 65_490

/** What the sheets of a workbook have in common. */
export interface WorkbookParts {
  /** The names of the parts of its sheets that have cells, in their order. */
  sheets: readonly string[]
  is1904: boolean
  /** Whether a cell with the style of this number is a date. */
  isDate: readonly boolean[]
  texts: SharedTexts
}

/** Reads what the sheets of a workbook have in common (ECMA-376 part 1, 18.2 to 18.8). @throws Problem as `readXml` */
export async function readParts(archive: Archive): Promise<WorkbookParts> {
  const root = await relationsOf(archive, '')
  const workbook = [...root.values()].find(({ type }) => type === 'officeDocument')?.part ?? USUAL_WORKBOOK
  const relations = await relationsOf(archive, workbook)
  const partOf = (wanted: string) => [...relations.values()].find(({ type }) => type === wanted)?.part
  const { ids, is1904 } = await readWorkbook(archive, workbook)
  return {
    sheets: ids.flatMap(id => {
      const relation = relations.get(id)
      // A sheet that is a chart has no cells.
      return relation?.type === 'worksheet' && archive.has(relation.part) ? [relation.part] : []
    }),
    is1904,
    isDate: await readStyles(archive, partOf('styles')),
    texts: await readTexts(archive, partOf('sharedStrings')),
  }
}

interface Relation {
  /** The last word of its type: the words before it differ between versions of the standard. */
  type: string
  part: string
}

/** Reads where the parts are that a part names by ids. */
async function relationsOf(archive: Archive, part: string): Promise<Map<string, Relation>> {
  const folder = part.slice(0, part.lastIndexOf('/') + 1)
  const name = `${folder}_rels/${part.slice(folder.length)}.rels`
  const relations = new Map<string, Relation>()
  if (!archive.has(name)) return relations
  await readXml(archive.read(name), {
    open(element, attributes) {
      if (element !== 'Relationship') return
      const { Id = '', Type = '', Target = '', TargetMode } = attributes()
      if (TargetMode === 'External') return
      relations.set(Id, { type: Type.slice(Type.lastIndexOf('/') + 1), part: pathFrom(folder, Target) })
      if (relations.size > MAX_FORMATS) throw unreadable()
    },
  })
  return relations
}

function pathFrom(folder: string, target: string): string {
  const path = target.startsWith('/') ? [] : folder.split('/').slice(0, -1)
  for (const step of target.split('/')) {
    if (step === '..') path.pop()
    else if (step !== '.' && step !== '') path.push(step)
  }
  return path.join('/')
}

async function readWorkbook(archive: Archive, part: string): Promise<{ ids: string[]; is1904: boolean }> {
  const ids: string[] = []
  let is1904 = false
  await readXml(archive.read(part), {
    open(name, attributes) {
      if (name === 'workbookPr') is1904 = /^(1|true)$/.test(attributes().date1904 ?? '')
      if (name !== 'sheet' || ids.length >= MAX_SHEETS) return
      // The prefix of this name is the file's own choice, and `sheetId` is something else.
      const id = Object.entries(attributes()).find(([key]) => /:id$/.test(key))
      if (id !== undefined) ids.push(id[1])
    },
  })
  return { ids, is1904 }
}

async function readStyles(archive: Archive, part: string | undefined): Promise<boolean[]> {
  if (part === undefined || !archive.has(part)) return []
  const dates = new Map<number, boolean>()
  const isDate: boolean[] = []
  let isInCells = false
  await readXml(archive.read(part), {
    open(name, attributes) {
      if (dates.size > MAX_FORMATS || isDate.length > MAX_FORMATS) throw unreadable()
      if (name === 'cellXfs') isInCells = true
      if (name === 'numFmt') {
        const { numFmtId, formatCode = '' } = attributes()
        dates.set(Number(numFmtId), isDateCode(formatCode))
      }
      if (name === 'xf' && isInCells) {
        const format = Number(attributes().numFmtId ?? 0)
        isDate.push(dates.get(format) ?? isBuiltInDate(format))
      }
    },
    close(name) {
      if (name === 'cellXfs') isInCells = false
    },
  })
  return isDate
}

async function readTexts(archive: Archive, part: string | undefined): Promise<SharedTexts> {
  const texts = new SharedTexts()
  if (part === undefined || !archive.has(part)) return texts
  const text = new RichText()
  const handlers: XmlHandlers = {
    open(name) {
      if (name === 'si') text.begin()
      text.open(name)
    },
    text: some => text.add(some),
    close(name) {
      text.close(name)
      if (name === 'si') texts.add(text.end())
    },
  }
  await readXml(archive.read(part), handlers)
  return texts
}
