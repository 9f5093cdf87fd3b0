import { makeFault } from '#base/faults.ts'
import { Problem } from '#base/problem.ts'
import { toCsv } from '#machinery/tables/csv.ts'
import type { Source } from '#machinery/tables/encoding.ts'
import { type JsonElement, readElements } from '#machinery/tables/json-elements.ts'
import { MAX_BYTES, MAX_LINES, SLICE, wrong } from '#machinery/tables/lines.ts'
import { MAX_SHEET_COLUMNS } from '#machinery/workbooks/limits.ts'

/** The columns are those of the order positions, as pretix names them in English. Those of its questions follow. */
const COLUMNS = [
  ...['Order code', 'Position ID', 'Status', 'Email', 'Phone number', 'Product', 'Variation'],
  ...['Attendee name', 'Attendee email', 'Company', 'Seat name', 'Order locale', 'Order comment'],
  'Add-on to position ID',
]

/** The words of pretix for the letter of an order's state. */
const states: Readonly<Record<string, string>> = { p: 'paid', n: 'pending', e: 'expired', c: 'canceled' }

/** The most characters of a name and of a question, of which each line has a copy or which names a column. */
const MAX_TITLE = 200
/** The most products with their variants. */
const MAX_PRODUCTS = 10_000

/** Returns whether a file is “Order data (JSON)” of pretix (`base/exporters/json.py`). @param beginning of the file */
export function isPretixJson(beginning: Uint8Array): boolean {
  const text = new TextDecoder().decode(beginning.subarray(0, 1024))
  return /^\s*\{\s*"event"\s*:\s*\{/.test(text)
}

/**
 * Writes the order positions in a JSON export of pretix as the CSV that pretix makes of them. The file is read twice, as the
 * products and questions that its orders name may stand anywhere in it.
 *
 * @throws Problem invalid_parameter for `file`, with `details.fault`
 */
export async function* pretixToCsv(file: Source): AsyncGenerator<Uint8Array> {
  try {
    yield* writeLines(file, await readCatalogue(file))
  } catch (error) {
    // What is no JSON, and what is not encoded as JSON must be.
    const isOfText = error instanceof SyntaxError || error instanceof RangeError || error instanceof TypeError
    if (error instanceof Problem || !isOfText) throw error
    throw wrong(makeFault('unreadableExport'))
  }
}

type Parsed = Readonly<Record<string, unknown>>

interface Catalogue {
  /** The names of products and variants, by their ids. */
  products: ReadonlyMap<string, string>
  variants: ReadonlyMap<string, string>
  /** The texts of the questions, by their ids. */
  questions: ReadonlyMap<string, string>
}

async function readCatalogue(file: Source): Promise<Catalogue> {
  const products = new Map<string, string>()
  const variants = new Map<string, string>()
  const questions = new Map<string, string>()
  for await (const element of readElements(file, 'event', ['items', 'questions'])) {
    const { id, name, internal_name, variations, question } = parse(element)
    if (element.of === 'questions') questions.set(textOf(id), titleOf(question))
    else {
      products.set(textOf(id), titleOf(internal_name) || titleOf(name))
      for (const variant of listOf(variations)) variants.set(textOf(variant.id), titleOf(variant.name))
    }
    if (COLUMNS.length + questions.size > MAX_SHEET_COLUMNS)
      throw wrong(makeFault('tooManyColumns', { max: MAX_SHEET_COLUMNS }))
    if (products.size + variants.size > MAX_PRODUCTS) throw new RangeError('There are too many products.')
  }
  return { products, variants, questions }
}

async function* writeLines(file: Source, catalogue: Catalogue): AsyncGenerator<Uint8Array> {
  let waiting = toCsv([[...COLUMNS, ...catalogue.questions.values()]])
  let lines = 0
  let bytes = 0
  const flush = () => {
    const piece = Buffer.from(waiting)
    waiting = ''
    bytes += piece.length
    if (bytes > MAX_BYTES) throw wrong(makeFault('tooManyBytes', { max: MAX_BYTES }))
    return piece
  }
  for await (const element of readElements(file, 'event', ['orders'])) {
    const order = parse(element)
    const positions = listOf(order.positions)
    const numbers = new Map(positions.map(({ id, positionid }) => [textOf(id), textOf(positionid)]))
    for (const position of positions) {
      lines++
      if (lines > MAX_LINES) throw wrong(makeFault('tooManyLines', { max: MAX_LINES }))
      waiting += toCsv([cellsOf(order, position, { ...catalogue, numbers })])
      if (waiting.length >= SLICE) yield flush()
    }
  }
  yield flush()
}

/** @param of also the numbers of the positions of the order, by their ids */
function cellsOf(
  order: Parsed,
  position: Parsed,
  { products, variants, questions, numbers }: Catalogue & { numbers: ReadonlyMap<string, string> },
): string[] {
  const answers = new Map<string, string>()
  for (const { question, answer } of listOf(position.answers)) answers.set(textOf(question), textOf(answer))
  const state = textOf(order.status)
  return [
    ...[textOf(order.code), textOf(position.positionid)],
    // Orders of the test mode are no orders.
    order.testmode === true ? 'test' : (states[state] ?? state),
    ...[textOf(order.email), textOf(order.phone)],
    products.get(textOf(position.item)) ?? '',
    variants.get(textOf(position.variation)) ?? '',
    ...[textOf(position.attendee_name), textOf(position.attendee_email), textOf(position.company)],
    ...[textOf(position.seat), textOf(order.locale), textOf(order.comment)],
    addonOf(textOf(position.addon_to), numbers),
    ...[...questions.keys()].map(id => answers.get(id) ?? ''),
  ]
}

/** Returns the number of the position that an add-on belongs to. A cancelled one is not in the export, and has none. */
function addonOf(id: string, numbers: ReadonlyMap<string, string>): string {
  return id === '' ? '' : (numbers.get(id) ?? `?${id}`)
}

function parse({ text }: JsonElement): Parsed {
  return JSON.parse(text) as Parsed
}

function listOf(value: unknown): Parsed[] {
  const list: unknown[] = Array.isArray(value) ? value : []
  return list.filter((one): one is Parsed => typeof one === 'object' && one !== null)
}

/** Returns a value as the text of a cell. pretix writes what is empty as null, and in some places as its word for nothing. */
function textOf(value: unknown): string {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== 'None' ? value : ''
}

function titleOf(value: unknown): string {
  return textOf(value).slice(0, MAX_TITLE).toWellFormed()
}
