import assert from 'node:assert/strict'
import { test } from 'node:test'
import { JSDOM } from 'jsdom'
import { mailKinds } from '#app/mail-kinds.ts'
import { compose } from '#machinery/mail/compose.ts'
import type { Content } from '#machinery/mail/kind.ts'
import { composeLetter, type Letter } from '#machinery/mail/letter.tsx'
import type { DetailedRow } from '#machinery/mail/store.ts'
import { hardTexts, useEverything } from '#test/support/hard-texts.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { textsIn } from '#texts/catalogue.ts'
import { languages } from '#texts/languages.ts'

/** People write such texts to make a mail do something. Each would leave an element of this name, or one of these links. */
const HOSTILE: readonly string[] = [
  '<script>alert(1)</script><kanarienvogel onclick="alert(1)">x</kanarienvogel>',
  '"><img src=x onerror=alert(1)><kanarienvogel>',
  '</style></title></textarea><kanarienvogel>',
  '[click](javascript:alert(1)) ![x](https://evil.example/x.png) <https://evil.example>',
  'Grace\r\nBcc: all@example.org\r\n\r\n<kanarienvogel>',
  '# You won\n\n[prize](https://evil.example)\n\n| a |\n|---|\n| b |',
  '{link}{name}{event}{constructor}{__proto__}',
  '&lt;kanarienvogel&gt;&#60;kanarienvogel&#62;',
]

/** Who sells can be written to. An e-mail is checked before it is kept. */
const SELLER = 'mailto:owner-of-all@example.org'

/** Finds what no text of ours makes in a letter. @param own the addresses that it may lead to */
function findStrange({ html, subject }: Pick<Letter, 'html' | 'subject'>, own: string): string[] {
  const { document } = new JSDOM(html).window
  const found = [
    ...document.querySelectorAll('script, kanarienvogel, iframe, form, object, embed, base, link'),
  ]
  const pictures = [...document.querySelectorAll('img')].filter(({ src }) => !src.startsWith('cid:'))
  const links = [...document.querySelectorAll('a')].filter(
    ({ href }) => !href.startsWith(own) && href !== SELLER,
  )
  const handlers = [...document.querySelectorAll('*')].flatMap(element =>
    [...element.attributes].filter(({ name }) => name.startsWith('on')),
  )
  return [
    ...[...found, ...pictures, ...links].map(({ outerHTML }) => outerHTML.slice(0, 200)),
    ...handlers.map(({ name }) => name),
    ...(/[\r\n]/.test(subject) ? [`a subject of more than one line: ${subject}`] : []),
  ]
}

test('no kind of mail, in any language, becomes more than text by what people write into it', () => {
  const wrong: string[] = []
  for (const kind of mailKinds) {
    for (const language of languages) {
      for (const hostile of HOSTILE) {
        const link = 'https://tickets.example.org/orders/x'
        const isLink = (name: string) => name === 'link' || name.endsWith('_link')
        const values = kind.placeholders.map(name => [name, isLink(name) ? link : hostile])
        const content: Content = {
          ...{ from: hostile, replyTo: undefined, values: Object.fromEntries(values) },
          button: { label: 'Open', url: link },
        }
        const letter = composeLetter(content, textsIn(language).mails[kind.name], language)
        const strange = findStrange(letter, 'https://tickets.example.org/')
        wrong.push(...strange.map(what => `${kind.name} in ${language}: ${what}`))
      }
    }
  }
  assert.ok(mailKinds.length > 20)
  assert.deepEqual(wrong, [])
})

test('what people write into an order, an event or an organization stays text in the letters of them, whatever became of the order', async t => {
  const { db, accountId, eventId, clock } = await startDashboard(t, hardTexts())
  await useEverything(db, accountId, eventId)
  const server = { baseUrl: 'https://tickets.example.org', secret: 's' }
  const composed = new Set<string>()
  const looked = new Set<string>()
  const wrong: string[] = []
  const states = [
    ['pending', 'approval', null],
    ['pending', 'answer', null],
    ['pending', 'payment', null],
    ['confirmed', null, null],
    ...['declined', 'undecided', 'unpaid', 'withdrawn', 'lapsed', 'cancelled'].map(why => [
      'failed',
      null,
      why,
    ]),
  ] as const
  for (const [status, waitsFor, failedFor] of states) {
    await db.write(accountId, async tx => {
      const at = (of: string) => (status === of ? tx.clock() : null)
      await tx.run(
        `UPDATE orders SET status = $1, waits_for = $2, failed_for = $3, expires_at = $4, confirmed_at = $5, failed_at = $6
         WHERE account_id = $7`,
        [
          status ?? null,
          waitsFor ?? null,
          failedFor ?? null,
          at('pending'),
          at('confirmed'),
          at('failed'),
          accountId,
        ],
      )
    })
    await db.read(accountId, async tx => {
      const subjects = await tx.all<{ id: string }>(
        `SELECT id FROM orders UNION SELECT id FROM events UNION SELECT id FROM announcements
         UNION SELECT id FROM abstracts UNION SELECT id FROM waitlist_entries`,
      )
      for (const kind of mailKinds) {
        for (const language of languages) {
          for (const { id } of subjects) {
            const row = {
              ...{
                id: 'm',
                account_id: accountId,
                event_id: kind.isOfEvent ? eventId : null,
                subject_id: id,
              },
              ...{ cause: 'c', recipient: 'a@example.org', language, kind: kind.name },
              details: JSON.stringify({ token: 't', name: HOSTILE[0], email: 'a@example.org' }),
            } as unknown as DetailedRow
            // Most subjects are not what a kind is about: those are not found.
            const found = await compose(tx, row, { kinds: mailKinds, server }, clock()).catch(() => undefined)
            if (found === undefined) continue
            composed.add(kind.name)
            if (looked.has(found.letter.html)) continue
            looked.add(found.letter.html)
            const strange = findStrange(found.letter, 'https://tickets.example.org/')
            wrong.push(
              ...strange.map(
                what => `${kind.name} of an order that is ${status} ${waitsFor ?? failedFor ?? ''}: ${what}`,
              ),
            )
          }
        }
      }
    })
  }
  assert.ok(composed.size >= 12, [...composed].join())
  assert.deepEqual(wrong, [])
})
