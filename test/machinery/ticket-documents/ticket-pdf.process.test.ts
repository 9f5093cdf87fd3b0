import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { getPriority } from 'node:os'
import { type TestContext, test } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { listPdf } from '#machinery/ticket-documents/list-pdf.ts'
import { type TicketDocument, ticketPdf } from '#machinery/ticket-documents/ticket-pdf.ts'
import { PdfFile, withoutPoppler } from '#test/support/pdf.ts'
import { codesOf, slipText, THIRD, thirds } from '#test/support/printed-tickets.ts'
import type { Picture } from '#test/support/qr-reader.ts'
import { codeOf, documentOf, TICKET_URL, ticketOf } from '#test/support/ticket-documents.ts'

const skip = withoutPoppler

async function read(t: TestContext, document: TicketDocument): Promise<PdfFile> {
  return new PdfFile(t, await ticketPdf(document))
}

function backwards(text: string): string {
  return [...text].reverse().join('')
}

/** Returns the text between two labels of a ticket, in one line. */
function between(text: string, from: string, to: string): string | undefined {
  return new RegExp(`\\n${from}\\s+([\\s\\S]*?)\\s+${to}\\n`).exec(text)?.[1]?.replace(/\s+/g, ' ')
}

/** The columns beside the code: name, date and others, and type, place and others. */
const FIRST = { left: 185, width: 185 }

test('three tickets are on a page, whose codes are read back from a picture of it as it is printed and as it is shown', {
  skip,
}, async t => {
  const tickets = [0, 1, 2, 3].map(at => ticketOf(`Holder ${at}`, { code: codeOf(at) }))
  const pdf = await read(t, documentOf({ tickets }))
  for (const resolution of [100, 150, 300]) {
    assert.deepEqual(
      codesOf(pdf, resolution),
      tickets.map(({ code }) => code),
      `${resolution} dots to the inch`,
    )
  }
  for (const at of [0, 1, 2, 3]) {
    const text = slipText(pdf, at)
    assert.match(text, new RegExp(`\\nHolder ${at}\\n`))
    assert.ok(text.includes(`Ticket ${at + 1} of 4`), text)
    assert.equal(text.match(/Holder/g)?.length, 1)
  }
})

/** Returns the rows of a picture that are dark at its left edge, as middles of lines in millimetres. */
function linesAtEdge({ width, height, grey }: Picture, resolution: number): number[] {
  const isDark = (y: number) => [0, 1, 2].some(x => (grey[y * width + x] as number) < 220)
  const rows = Array.from({ length: height }, (_, y) => y).filter(isDark)
  const firsts = rows.filter((y, at) => rows[at - 1] !== y - 1)
  return firsts.map(first => {
    const last = rows.find(y => y >= first && !rows.includes(y + 1)) as number
    return (((first + last + 1) / 2) * 25.4) / resolution
  })
}

for (const [paper, height] of [
  ['A4', 297],
  ['LETTER', 279.4],
] as const) {
  test(`a ticket is a third of ${paper}, with lines to cut along and a code of 45 mm`, { skip }, async t => {
    const tickets = [0, 1, 2].map(at => ticketOf(`Holder ${at}`, { code: codeOf(at) }))
    const pdf = await read(t, documentOf({ paper, tickets }))
    assert.match(pdf.info(), paper === 'A4' ? /595\.28 x 841\.89 pts \(A4\)/ : /612 x 792 pts \(letter\)/)
    const [page] = pdf.pictures(300) as [Picture]
    const lines = linesAtEdge(page, 300)
    assert.equal(lines.length, 2, `${lines} mm`)
    for (const [at, line] of lines.entries())
      assert.ok(Math.abs(line - ((at + 1) * height) / 3) < 0.2, `${lines} mm`)
    for (const slip of thirds(page)) {
      // The code is the only thing beside the left margin above the small print.
      const [from, to] = [0.4 * 300, 2.5 * 300]
      const isDark = (x: number, y: number) => (slip.grey[y * slip.width + x] as number) < 100
      const dark = Array.from({ length: slip.width }, (_, x) => x).filter(
        x => x > from && x < to && Array.from({ length: 600 }, (_, y) => y).some(y => isDark(x, y)),
      )
      const width = (((dark.at(-1) as number) + 1 - (dark[0] as number)) * 25.4) / 300
      assert.ok(Math.abs(width - 45) < 0.2, `${width} mm`)
    }
  })
}

test('what all tickets have in common is said once, below the last of them or on a page of its own', {
  skip,
}, async t => {
  const pagesOf = async (count: number) => {
    const pdf = await read(
      t,
      documentOf({ tickets: Array.from({ length: count }, (_, at) => ticketOf(`Holder ${at}`)) }),
    )
    const pages = Number(/^Pages: +(\d+)$/m.exec(pdf.info())?.[1])
    return Array.from({ length: pages }, (_, at) => pdf.text(at + 1))
  }
  for (const [count, pages] of [
    [1, 1],
    [2, 1],
    [3, 2],
    [4, 2],
    [7, 3],
  ] as const) {
    const texts = await pagesOf(count)
    assert.equal(texts.length, pages, `${count} tickets`)
    const all = texts.join('\n')
    for (const once of ['How to get there', 'Questions?', 'desk@example.org', 'Sold by', 'NIF G12345678'])
      assert.equal(all.split(once).length, 2, `${count} tickets: ${once}`)
    assert.match(texts.at(-1) as string, /How to get there[\s\S]*Palacio de Congresos/)
    assert.equal(all.includes('Ticket 1 of'), count > 1, 'Of one ticket nobody needs to know which it is.')
  }
  const seller = { isSelling: false, lines: ['Society of Ornithology'] }
  const free = (await read(t, documentOf({ seller, tickets: [ticketOf('A')] }))).text(1)
  assert.match(free, /Organized by[\s\S]*Society of Ornithology/)
  assert.doesNotMatch(free, /Sold by/)
})

test('a ticket that admits nobody says so instead of a code, beside those that admit somebody', {
  skip,
}, async t => {
  for (const [language, title, sentence, admits] of [
    ['en', 'Void', 'This ticket admits nobody.', 'It admits one person'],
    ['es', 'Anulada', 'Esta entrada no da acceso a nadie.', 'Da acceso a una persona'],
  ] as const) {
    const tickets = [ticketOf('Good', { code: codeOf(7) }), ticketOf('Gone', { code: null })]
    const pdf = await read(t, documentOf({ language, tickets }))
    const plain = (at: number) => slipText(pdf, at).replace(/\s+/g, ' ')
    assert.ok(plain(1).includes(title) && plain(1).includes(sentence) && plain(1).includes('Gone'), plain(1))
    assert.ok(!plain(1).includes(admits) && plain(0).includes(admits))
    assert.ok(!plain(0).includes(title) && !plain(0).includes(sentence))
    assert.deepEqual(codesOf(pdf, 150), [codeOf(7)])
  }
})

test('a ticket says whose it is and for what, when by the clocks of the event, where, and of which order', {
  skip,
}, async t => {
  const seat = 'Row A, seat 12'
  const validFrom = Date.parse('2026-12-03T12:00:00Z')
  const ticket = ticketOf('Grace Hopper', { seat, validFrom })
  const english = await read(t, documentOf({ tickets: [ticket] }))
  assert.deepEqual(
    slipText(english, 0, { left: 185, width: 400, height: 235 })
      .trim()
      .split(/\s*\n\s*/)
      .toSorted(),
    [
      'Society of Ornithology',
      'Spring Meeting',
      ...['Name', 'Grace Hopper', 'Ticket', 'Standard'],
      ...['When', 'Where', 'Thursday, 3 December 2026', 'Palacio de Congresos'],
      ...['14:05 – 18:00 CET (Europe/Madrid)', 'Paseo de la Castellana 99', '28046 Madrid'],
      ...['Admits', 'from 3 Dec 2026, 13:00', 'Seat', seat, 'Order', 'K7PM-2QXA'],
    ].toSorted(),
  )
  const beside = slipText(english, 0, { left: 0, width: 185 }).replace(/\s+/g, ' ')
  assert.ok(
    beside.includes(
      'Show this code at the door, printed or on your phone. It admits one person, once: do not share pictures of it.',
    ),
    beside,
  )
  assert.ok(slipText(english, 0).includes(TICKET_URL))
  const spanish = (await read(t, documentOf({ language: 'es', tickets: [ticket] }))).text(1)
  for (const word of ['Nombre', 'Entrada', 'Cuándo', 'jueves, 3 de diciembre de 2026', 'Cómo llegar']) {
    assert.ok(spanish.includes(word), word)
  }
  assert.doesNotMatch(spanish, /\b(Name|When|Where|Ticket|Show|Questions)\b/)
})

test('several days, a date that is open, and what nobody said, are told as they are', { skip }, async t => {
  const endsAt = Date.parse('2026-12-05T17:00:00Z')
  const days = (await read(t, documentOf({ event: { endsAt }, tickets: [ticketOf('A')] }))).text(1)
  assert.match(days, /3.–.5 Dec 2026\n3 Dec, 14:05 – 5 Dec, 18:00\nCET \(Europe\/Madrid\)/)
  const open = { startsAt: null, endsAt: null, venue: null, address: ' \n ' }
  const bare = await read(t, documentOf({ event: open, tickets: [ticketOf('  ', { url: null })] }))
  const text = bare.text(1)
  assert.match(text, /The date is still to be announced\./)
  assert.doesNotMatch(text, /Name|Where|Seat|Admits|null|undefined|http/)
})

test('names in every script of the fonts print, and are copied and found in the order in which they are read', {
  skip,
}, async t => {
  const names = [
    'Zoë Ångström Łęcki ẞ',
    'Nguyễn Thị Phương Ệ',
    'Άγγελος Παπαδόπουλος',
    'Юрий Щукин Їжак',
    'นางสาว น้ำทิพย์ ปู่ กตัญญู',
    'नमस्ते क्षत्रिय लक्ष्मी',
    'محمد عبد الله',
    'مؤتمر الأستاذ',
    'کیوان گچ‌پژ',
    'שלום עולם',
  ]
  const pdf = await read(t, documentOf({ tickets: names.map(name => ticketOf(name)) }))
  for (const [at, name] of names.entries()) {
    const text = `\n${slipText(pdf, at, FIRST)}`
    assert.equal(between(text, 'Name', 'When'), name.normalize('NFC'), text)
    assert.doesNotMatch(slipText(pdf, at), /left out/)
  }
})

test('the words of a line in two directions stand where the Bidirectional Algorithm has them', {
  skip,
}, async t => {
  const names = ['شركة 2026 الطيور', 'Smith محمد Lee', 'שלום Cohen (2026)']
  // The letters stand from left to right, as people see them.
  const seen = [
    ['الطيور', '2026', 'شركة'],
    ['Smith', 'محمد', 'Lee'],
    ['Cohen', '(2026)', 'שלום'],
  ]
  for (const [at, words] of seen.entries()) {
    const event = { startsAt: null, endsAt: null }
    const pdf = await read(t, documentOf({ event, tickets: [ticketOf(names[at] as string)] }))
    const boxes = [...pdf.text(1, '-bbox').matchAll(/xMin="([\d.]+)".*>(.*)<\/word>/g)]
    // The reader returns words by their boxes, in the order of sight.
    const found = words.map(
      word => boxes.find(([, , text]) => [word, backwards(word)].includes(text ?? ''))?.[1],
    )
    assert.ok(!found.includes(undefined), `${names[at]}: ${found}`)
    assert.deepEqual(
      found,
      found.toSorted((a, b) => Number(a) - Number(b)),
      names[at],
    )
  }
})

test('letters that no font has are left out, never drawn as boxes, and the ticket says where they are shown', {
  skip,
}, async t => {
  const names = ['王小明', 'Ann 王小明 Lee', 'Ann 🎉', '김철수 (Kim)', 'Ann \ud800', '🎉', '\u{10ffff}']
  const shown = ['[…]', 'Ann […] Lee', 'Ann', '[…] (Kim)', 'Ann […]', '[…]', '[…]']
  const pdf = await read(t, documentOf({ tickets: [...names, 'Ann'].map(name => ticketOf(name)) }))
  for (const [at, name] of names.entries()) {
    assert.equal(between(`\n${slipText(pdf, at, FIRST)}`, 'Name', 'When'), shown[at], name)
    const plain = slipText(pdf, at).replace(/\s+/g, ' ')
    assert.ok(plain.includes(`were left out. The page of the ticket shows them all: ${TICKET_URL}`), plain)
  }
  assert.doesNotMatch(slipText(pdf, names.length), /left out/)
})

test('the longest and the most hostile texts stay within their ticket, with its code readable', {
  skip,
}, async t => {
  const hostile = [
    'W'.repeat(200),
    'Maximilian Alexander '.repeat(10).slice(0, 200),
    'محمد عبد الرحمن بن خالد الشريف '.repeat(7).slice(0, 200),
    'กรุงเทพมหานครอมรรัตนโกสินทร์มหินทรายุธยา'.repeat(5).slice(0, 200),
    `Z${'\u0301\u0323\u0338'.repeat(66)}`,
    '\u0301\u0301'.repeat(100),
    '\u202e\u2066evil\u202c \u200f<b>bold</b> &amp; \u0000\u0007\r\n\t(\\) %PDF',
    ')\\ ET Q endstream endobj',
    '',
  ]
  const tickets = hostile.map(name => ticketOf(name, { type: name || 'x', seat: name }))
  const [title, , organizer, venue, address] = hostile as [string, string, string, string, string]
  const onlineUrl = `https://meet.example/${'W'.repeat(1900)}`
  for (const event of [{}, { title, organizer, venue, address, onlineUrl }]) {
    const pdf = await read(t, documentOf({ event, tickets }))
    assert.match(pdf.info(), /Pages: +4\n/)
    assert.deepEqual(
      codesOf(pdf, 150),
      tickets.map(({ code }) => code),
    )
    for (const page of [1, 2, 3, 4]) {
      const boxes = [
        ...pdf
          .text(page, '-bbox')
          .matchAll(/<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)"/g),
      ]
      assert.ok(boxes.length > 5)
      for (const [box, left, top, right, bottom] of boxes) {
        assert.ok(Number(left) > 40 && Number(right) < 556, box)
        // The last page has what is said once, and no lines to cut along.
        const height = page < 4 ? THIRD : 3 * THIRD
        const [from, to] = [Number(top) % height, Number(bottom) % height]
        assert.ok(from > 14 && to > from && to < height - 10, box)
      }
    }
  }
  const text = slipText(await read(t, documentOf({ tickets })), 6)
  assert.ok(text.includes('<b>bold</b> &amp;') && text.includes('%PDF'), text)
})

test('its title, author, language and date are set, whatever is in them', { skip }, async t => {
  const event = { title: 'A <b> & "B" محمد', organizer: ']]><x>\u0000&' }
  const pdf = await read(t, documentOf({ language: 'es', event, tickets: [ticketOf('A')] }))
  const info = pdf.info()
  assert.match(info, /^Title: +Entradas para A <b> & "B" محمد, pedido K7PM-2QXA$/m)
  assert.match(info, /^CreationDate: +Thu Oct {2}1 10:00:00 2026/m)
  assert.match(info, /^Tagged: +yes$/m)
  assert.match(info, /^Page size: +595\.28 x 841\.89 pts \(A4\)$/m)
  const file = (await ticketPdf(documentOf({ language: 'es', event, tickets: [ticketOf('A')] }))).toString(
    'latin1',
  )
  assert.match(file, /\/Lang \(es\)/)
  const xmp = Buffer.from(/<x:xmpmeta[\s\S]*<\/x:xmpmeta>/.exec(file)?.[0] ?? '', 'latin1').toString()
  assert.ok(
    xmp.includes('A &lt;b&gt; &amp; "B" محمد') && !xmp.includes('<b>') && !xmp.includes(']]><x>'),
    xmp,
  )
})

test('the same tickets are the same bytes, whatever was drawn in between', async () => {
  const document = documentOf({ tickets: ['Grace', 'محمد 2026', '王'].map(name => ticketOf(name)) })
  const [first, other, again] = await Promise.all([
    ticketPdf(document),
    ticketPdf(documentOf({ language: 'es', tickets: [ticketOf('Ἀθηνᾶ שלום')] })),
    ticketPdf(structuredClone(document)),
  ])
  assert.ok(first.equals(again))
  assert.ok(!first.equals(other))
  assert.equal(first.toString('latin1', 0, 8), '%PDF-1.7')
})

test('a document that cannot be drawn is refused, and the next one is drawn', async () => {
  const tooLong = documentOf({ tickets: [ticketOf('A', { code: 'A'.repeat(5000) })] })
  const good = documentOf({ tickets: [ticketOf('A')] })
  const [refused, drawn] = await Promise.allSettled([ticketPdf(tooLong), ticketPdf(good)])
  assert.equal(refused.status, 'rejected')
  assert.equal(drawn.status, 'fulfilled')
  await assert.rejects(ticketPdf(documentOf({ tickets: [] })))
})

test('a thread that has nothing to do for half a minute ends, and the next document has another', async t => {
  const threads: Worker[] = []
  const note = (thread: Worker) => threads.push(thread)
  process.on('worker', note)
  t.after(() => process.off('worker', note))
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const document = documentOf({ tickets: [ticketOf('A')] })
  const idle = async () => {
    await ticketPdf(document)
    t.mock.timers.tick(29_999)
  }
  // The thread of the tests before ends first, so that this test has one of its own.
  await idle()
  t.mock.timers.tick(1)
  await idle()
  await idle()
  assert.equal(threads.length, 1)
  const ended = once(threads[0] as Worker, 'exit')
  t.mock.timers.tick(1)
  await ended
  await ticketPdf(document)
  assert.equal(threads.length, 2)
})

test('the event loop goes on while a large order is drawn', async () => {
  const tickets = Array.from({ length: 60 }, (_, at) => ticketOf(`محمد ${at} Grace`, { code: codeOf(at) }))
  await ticketPdf(documentOf({ tickets: tickets.slice(0, 1) }))
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  const begun = performance.now()
  await ticketPdf(documentOf({ tickets }))
  const took = performance.now() - begun
  clearInterval(timer)
  // In one piece on this thread there would be two or three.
  assert.ok(turns > 20, `${turns} turns in ${took} ms`)
})

test('the thread that draws gives way to the one that answers', {
  skip: process.platform !== 'linux',
}, async () => {
  await ticketPdf(documentOf({ tickets: [ticketOf('Ada')] }))
  const priorities = readdirSync('/proc/self/task').map(task => getPriority(Number(task)))
  const own = getPriority()
  assert.equal(priorities.filter(priority => priority > own).length, 1, priorities.join())
})

test('names in four scripts cost no more than three times what plain ones do', async () => {
  // Processor time of the whole process, and of the quickest of several rounds: other processes make it slower, not quicker.
  const cost = async (nameOf: (ticket: number) => string) => {
    let least = Number.POSITIVE_INFINITY
    for (let round = 0; round < 6; round++) {
      const tickets = Array.from({ length: 20 }, (_, at) => {
        const name = nameOf(round * 20 + at)
        return ticketOf(name.slice(0, 200), { code: codeOf(at) })
      })
      const before = process.cpuUsage()
      await ticketPdf(documentOf({ tickets }))
      const { user, system } = process.cpuUsage(before)
      least = Math.min(least, (user + system) / 1000)
    }
    return least
  }
  const plain = await cost(at => `${at} ${'Grace Hopper met Ada Lovelace '.repeat(8)}`)
  /** Letters of all scripts with marks, no two names alike: nothing that was drawn before is of use. */
  const letters = { latin: 'abcdefghij', arabic: 'ابتثجحخدذر', hebrew: 'אבגדהוזחטי', thai: 'กขคงจฉชซญด' }
  const mixed = (at: number, count: number) =>
    Array.from({ length: count }, (_, place) => {
      const script = Object.values(letters)[place % 4] as string
      return script[(at * 7 + place * place) % 10]
    })
  const hostile: Record<string, (at: number) => string> = {
    'a script a word': at => `${at} ${'محمد שלום สมชายใจดี Grace 王小明 '.repeat(8)}`,
    'a script a letter': at => `${at}${mixed(at, 200).join('')}`,
    'a script a letter, with spaces': at => `${at} ${mixed(at, 100).join(' ')}`,
    'a script a letter, with marks': at => `${at}${mixed(at, 100).join('\u0301')}`,
    'letters that join': at =>
      `${at} ${mixed(at, 200)
        .filter((_, place) => place % 4 === 1)
        .join('')
        .repeat(4)}`,
    'no spaces': at => `${at}${'สมชายใจดีกิตติปิยะ'.repeat(12)}`,
  }
  for (const [what, nameOf] of Object.entries(hostile)) {
    const took = await cost(nameOf)
    assert.ok(took < 3 * plain, `${what}: ${took} ms, and plain ones ${plain} ms`)
  }
})

test('a ticket that is asked for while a long list is drawn is there before it', async () => {
  const rows = Array.from({ length: 1_800 }, (_, at) => ({
    ...{ name: `Guest ${at}`, note: null, what: 'Standard', isTicked: false },
  }))
  const words = { about: 'List', columns: ['Name', 'Ticket'] as const, nobody: 'Nobody', leftOut: 'Left out' }
  const about = { language: 'en', title: 'List', author: 'Ada', issuedAt: 0 }
  const page = (at: number, of: number) => `${at} of ${of}`
  const list = listPdf({ ...about, ...words, rows, page }, { lane: 'members', shares: ['account', 'person'] })
  const ended: string[] = []
  await Promise.all([
    list.then(() => ended.push('list')),
    ticketPdf(documentOf({ tickets: [ticketOf('Ada')] })).then(() => ended.push('ticket')),
  ])
  assert.deepEqual(ended, ['ticket', 'list'])
})
