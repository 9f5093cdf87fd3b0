import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { JSDOM } from 'jsdom'
import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { FilledMarkdown, filledText, Markdown } from '#machinery/web/components/markdown.tsx'

function render(text: string): Element {
  const html = renderToString(h(Markdown, { text }))
  return new JSDOM(html).window.document.querySelector('.prose') as Element
}

test('bold, lists, links and headings are shown as such', () => {
  const page = render('# Big\n\nA **bold** [link](https://example.org/a?b=1&c=2)\n\n1. one\n2. two')
  assert.equal(page.querySelector('strong')?.textContent, 'bold')
  assert.equal(page.querySelector('a')?.getAttribute('href'), 'https://example.org/a?b=1&c=2')
  assert.equal(page.querySelectorAll('ol li').length, 2)
  // The heading is one level below that of the page, so that no level is left out.
  assert.equal(page.querySelector('h3')?.textContent, 'Big')
})

test('no HTML of theirs comes through, whole or broken: it is shown as it was typed', () => {
  const attacks = [
    '<script>alert(1)</script>',
    'a <b onclick="alert(1)">b</b>',
    '<img src=x onerror=alert(1)>',
    // After such a tag marked leaves the rest as it is.
    '<code><img src=x onerror=alert(1) //\n\nb>',
    '<pre><svg/onload=alert(1) //\n\n>',
    'a <kbd>&lt;i <u',
    '<!-- a --><style>*{}</style>',
    '```"><script>\n</code><script>alert(1)</script>\n```',
    '`<script>alert(1)</script>`',
    '&#60;script&#62;alert(1)&#60;/script&#62;',
    '| <script> |\n|-|\n| <img src=x> |',
    '![<img src=x onerror=alert(1)>](x)',
    '[a](https://x.example/"onmouseover="alert(1) "t\\"onclick=\\"alert(1)")',
    '<https://x.example/?"onmouseover=alert(1)>',
  ]
  const allowed = 'p,a,code,pre,blockquote,table,thead,tbody,tr,th,td'.split(',')
  for (const attack of attacks) {
    const page = render(attack)
    for (const element of page.querySelectorAll('*')) {
      assert.ok(allowed.includes(element.localName), `${attack}: ${page.innerHTML}`)
      const names = element.getAttributeNames().filter(name => !['href', 'rel'].includes(name))
      assert.deepEqual(names, [], `${attack}: ${page.innerHTML}`)
    }
    assert.ok((page.textContent ?? '') !== '', attack)
  }
  assert.equal(render('a <b>b</b>').textContent?.trim(), 'a <b>b</b>')
})

test('a link that would do more than go there stays text, and a picture is its description', () => {
  const bad = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java&#115;cript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
  ]
  for (const address of bad) {
    for (const text of [`[go](${address})`, `[go]\n\n[go]: ${address}`, `<${address}>`]) {
      assert.equal(render(text).querySelector('a'), null, text)
    }
  }
  const picture = render('See ![the hall](https://example.org/hall.png).')
  assert.equal(picture.querySelector('img'), null)
  assert.match(picture.textContent ?? '', /See the hall\./)
})

test('a text that is too deep to be understood is shown as it was typed', () => {
  const page = render(`${'> '.repeat(10_000)}<b>`)
  assert.match(page.textContent ?? '', /^> > .*<b>/)
  assert.equal(page.querySelector('b'), null)
})

/** A description may be this long. */
const LENGTH = 20_000

test('a text of signs that would take seconds is shown as it was typed, before it takes them', () => {
  const signs = [
    '[*a',
    '*a_',
    '_a ',
    '_a__',
    '!',
    '*-*',
    '- ',
    '1. ',
    '>- ',
    '> - ',
    '[a](',
    '[a][',
    '<',
    '`',
    '~a~',
  ]
  for (const sign of [...signs, 'x', '- =]\n', '**a ', `${'- '.repeat(50)}a\n`]) {
    const text = sign.repeat(LENGTH).slice(0, LENGTH)
    const [shown, ...others] = render(text).children
    assert.equal(shown?.localName, 'pre', sign)
    assert.equal(shown?.textContent?.trimEnd(), text.trimEnd(), sign)
    assert.equal(others.length, 0, sign)
  }
})

test('a text as long as it may be that a person wrote is shown with all that is in it', () => {
  const part = [
    '## A day',
    'A **bold** word, an _inclined_ one, `code`, a snake_case_word, 2 * 3 * 4, [a link](https://example.org/a_b).',
    '> Somebody said\n> - this\n>   1. and this',
    '- one *more*\n- two, https://example.org\n  - three, me@example.org\n- [x] four',
    '---',
  ].join('\n\n')
  const row = '| 09:00 | **Talk** | [Somebody](https://example.org/s) | Room *1* |\n'
  const table = `| At | What | Who | Where |\n|-|-|-|-|\n${row.repeat(60)}\n`
  const days = `${part}\n\n`.repeat(LENGTH).slice(0, LENGTH - table.length - 500)
  const page = render(`${table}${days}\n\nend ${'**b** '.repeat(40)}`)
  assert.equal(page.querySelectorAll('tbody tr').length, 60)
  assert.ok(page.querySelectorAll('blockquote ol').length > 30)
  assert.ok(page.querySelectorAll('li li').length > 30)
  assert.equal(page.querySelectorAll('p:last-child strong').length, 40)
  assert.equal(page.querySelectorAll('pre').length, 0)
})

test('raw HTML is in no other place of the pages, but in the reference, whose texts are our own, in data that is JSON, and in choices that were written as all else', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(name => /\.tsx?$/.test(name))
  const raw = files.filter(name =>
    readFileSync(join('src', name), 'utf8').includes('dangerouslySetInnerHTML'),
  )
  assert.deepEqual(raw.sort(), [
    'faces/api/description/reference/reference-page.tsx',
    'faces/storefront/json-ld.tsx',
    'machinery/web/components/markdown.tsx',
    'machinery/web/forms/control.tsx',
  ])
})

test('a mail’s text part says what its HTML does, without signs: links with their address, lists and quotes as they are', () => {
  const body = `# Big *news*

Hello {name}, a **bold** and ~~old~~ [link](https://example.org/a?b=1) \\*
{when}
{place}

Of https://example.org/x_y_z, [a@example.org](mailto:a@example.org), [write](mailto:b@example.org) &amp; \`c*d*\`

- one
- two
  1. three
  2. four

3. five

   six

> said
> so

| a | b |
|-|-|
| 1 | *2* |

---
[bad](javascript:alert(1)) ![a picture](https://example.org/p.png) <b>no tag</b> {link}
`
  const values = {
    name: '**Bob** [x](https://evil.example)',
    when: 'Now',
    place: '',
    link: 'https://t.example/o/a_b_c',
  }
  assert.equal(
    filledText(body, values),
    `Big news

Hello **Bob** [x](https://evil.example), a bold and old link: https://example.org/a?b=1 *
Now

Of https://example.org/x_y_z, a@example.org, write: b@example.org & c*d*

- one
- two
  1. three
  2. four

3. five

   six

> said
> so

a | b
1 | 2

--------------------

bad a picture <b>no tag</b> https://t.example/o/a_b_c`,
  )
})

test('what is too much for Markdown is mailed as it was typed', () => {
  const deep = `${'> '.repeat(30)}**deep** {name}`
  assert.equal(filledText(deep, { name: 'Bob' }), `${'> '.repeat(30)}**deep** Bob`)
})

test('in a mail each line stays one, and a line that says nothing is left out', () => {
  const of = (values: Record<string, string>) =>
    renderToString(h(FilledMarkdown, { text: '{when}\n{place}\n\n{note}\n\n{unknown}', values }))
  assert.match(
    of({ when: 'Now', place: 'Here', note: 'One\n<two>' }),
    /<p>Now<br>Here<\/p>\s*<p>One<br>&lt;two&gt;<\/p>\s*<p>\{unknown\}<\/p>/,
  )
  assert.match(of({ when: '', place: 'Here', note: ' ' }), /<p>Here<\/p>\s*<p>\{unknown\}<\/p>/)
})
