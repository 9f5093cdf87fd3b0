import { setImmediate as nextTurn } from 'node:timers/promises'
import { h, type VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { Offering, type Offers } from './components/offered.tsx'

/** So many rows are rendered at a time. */
const SLICE = 50

/** Marks the place of rows in a document. The text of people is escaped, so nothing else is written so. */
const PLACE = '<rows-in-slices></rows-in-slices>'

interface Rows {
  offers: Offers
  count: number
  rowAt: (at: number) => VNode
}

/** The rows that wait while their document is rendered. That takes no turn, so there is one document at a time. */
let waiting: Rows[] | undefined

/** Stands for the rows of a table. Those of a long one are rendered in slices, where the document is. */
export function InSlices({ count, rowAt }: Omit<Rows, 'offers'>) {
  return (
    <Offering.Consumer>
      {offers => {
        if (waiting === undefined || count <= SLICE)
          return <>{Array.from({ length: count }, (_, at) => rowAt(at))}</>
        waiting.push({ offers, count, rowAt })
        return h('rows-in-slices', null)
      }}
    </Offering.Consumer>
  )
}

/** Renders a document. Others get their turn after each slice of the rows of a long table. */
export async function renderInSlices(document: VNode): Promise<Buffer> {
  const tables: Rows[] = []
  waiting = tables
  let text: string
  try {
    text = renderToString(document)
  } finally {
    waiting = undefined
  }
  const [head = '', ...between] = text.split(PLACE)
  if (between.length !== tables.length)
    throw new Error('A document has one place for each of its long tables.')
  const parts = [Buffer.from(head)]
  for (const [number, rows] of tables.entries()) {
    for await (const slice of slicesOf(rows)) parts.push(Buffer.from(slice))
    parts.push(Buffer.from(between[number] as string))
  }
  return Buffer.concat(parts)
}

async function* slicesOf({ offers, count, rowAt }: Rows): AsyncGenerator<string> {
  for (let from = 0; from < count; from += SLICE) {
    await nextTurn()
    const rows = Array.from({ length: Math.min(SLICE, count - from) }, (_, at) => rowAt(from + at))
    yield renderToString(<Offering.Provider value={offers}>{rows}</Offering.Provider>)
  }
}
