import assert from 'node:assert/strict'
import { test } from 'node:test'
import { render } from 'preact-render-to-string'
import { Typesetter } from '#machinery/formulas/typesetter.ts'
import { AbstractText } from '#product/programme/submissions/abstract-text.tsx'
import { lacksFormula, makeFormulas, readFormulas } from '#product/programme/submissions/formulas.ts'
import { readSent } from '#product/programme/submissions/send.ts'
import { takeFormulas } from '#product/programme/submissions/text-formulas.ts'
import { startSale } from '#test/support/people/sale.ts'
import { begin, contentOf, openCall, send } from '#test/support/submissions.ts'

const sectionsOf = (...texts: string[]) => texts.map(text => ({ heading: '', text }))
const found = (text: string) => takeFormulas(text).formulas.map(({ source }) => source)

/** Shows a text with the formulas that are made of it, each as `<math/>`. */
async function shown(text: string): Promise<string> {
  const formulas = readFormulas(await makeFormulas(sectionsOf(text)))
  return render(AbstractText({ text, formulas })).replace(/<math .*?<\/math>/g, '<math/>')
}

/** Makes nothing in a thread: each formula is what the test says. */
class Made extends Typesetter {
  asked = 0
  readonly #tree: string | null
  constructor(tree: string | null) {
    super()
    this.#tree = tree
  }
  override async typeset(formulas: readonly unknown[]) {
    this.asked += formulas.length
    return formulas.map(() => this.#tree)
  }
}

test('a formula begins and ends as Pandoc has it, so prices stay prices', () => {
  assert.deepEqual(found('$20 and $30'), [])
  assert.deepEqual(found('$20,000 and $30,000'), [])
  assert.deepEqual(found('5$ or 6 $ or $ 7'), [])
  assert.deepEqual(found('US$5-$10'), [])
  assert.deepEqual(found('a \\$5 and \\$6 b'), [])
  assert.deepEqual(found('an unclosed $x and nothing'), [])
  assert.deepEqual(found('an unclosed $$x and $'), [])
  assert.deepEqual(found('$$$ and $$$, $$ $$'), [])
  assert.deepEqual(found('the 3$\\sigma$ level, $p<0.05$.'), ['$\\sigma$', '$p<0.05$'])
  assert.deepEqual(found('$a\\$b$ costs \\$5'), ['$a\\$b$'])
  assert.deepEqual(found('$$x = \\text{if $y$}$$ and\n$a\nb$'), ['$$x = \\text{if $y$}$$', '$a\nb$'])
})

test('many dollars without an end are text', () => {
  const text = '$x '.repeat(6_000)
  assert.deepEqual(found(text), [])
  assert.deepEqual(found(`$${'\\\\'.repeat(10_000)}`), [])
  assert.deepEqual(found(`$$${'$x '.repeat(6_000)}`), [])
})

test('formulas stand in paragraphs, lists and between marks, where marks mean nothing in them', async () => {
  assert.equal(await shown('We *find $a*b*c$* at 5 °C.'), '<p>We <em>find <math/></em> at 5 °C.</p>')
  assert.equal(
    await shown('- **$x_1$**\n- $y^2$ and H~2~O'),
    '<ul><li><strong><math/></strong></li><li><math/> and H<sub>2</sub>O</li></ul>',
  )
  assert.equal(await shown('It costs \\$5 or $20 and $30.'), '<p>It costs $5 or $20 and $30.</p>')
  assert.match(
    await shown('So\n$$x=1$$\nholds.'),
    /^<p>So\n<span class="formula block"><span><math\/><\/span><\/span>\nholds\.<\/p>$/,
  )
  assert.equal(await shown('- a $x\n- b$ c'), '<ul><li>a $x</li><li>b$ c</li></ul>')
  assert.equal(await shown('a $x\n\ny$ b'), '<p>a $x</p><p>y$ b</p>')
  assert.equal(await shown('a \ufdd0 b $x$'), '<p>a \ufffd b <math/></p>')
})

test('what is wrong, refused or too long is shown as it is typed', async () => {
  for (const source of [
    ...['$\\frac{a}$', '$\\def\\a{\\a}\\a$', '$\\href{https://x}{y}$', '$\\class{a}{x}$', '$\\nothing$'],
    `$${'x'.repeat(500)}$`,
  ])
    assert.equal(await shown(`a ${source} b`), `<p>a <code dir="ltr">${source}</code> b</p>`)
  assert.equal(
    await shown('a $x</math><script>alert(1)</script>$ b'),
    '<p>a <span class="formula" tabindex="0"><span><math/></span></span> b</p>',
  )
  assert.equal(
    await shown(`$${'x'.repeat(498)}$`),
    '<p><span class="formula" tabindex="0"><span><math/></span></span></p>',
  )
})

test('an abstract has formulas of 3,000 characters in all, and of 64 KiB as they are kept', async () => {
  const some = Array.from({ length: 7 }, (_, at) => `$${at}${'x'.repeat(490)}$`)
  const by = new Made('["mi",{},"x"]')
  const kept = readFormulas(await makeFormulas(sectionsOf(some.join(' '), '$short$'), by))
  assert.deepEqual([...kept.keys()], [...some.slice(0, 6), '$short$'])
  assert.equal(by.asked, 7)
  assert.ok(lacksFormula(sectionsOf(some.join(' ')), kept))
  const large = JSON.stringify(['mi', {}, 'x'.repeat(30_000)])
  const full = (await makeFormulas(sectionsOf('$aa$ $bb$ $cc$'), new Made(large))) ?? ''
  assert.deepEqual([...readFormulas(full).keys()], ['$aa$', '$bb$'])
  assert.ok(Buffer.byteLength(full) <= 64 * 1024)
})

test('a formula that is typed twice is made once, and what was shown before sending is what is sent', async () => {
  const by = new Made('["mi",{},"x"]')
  const sections = sectionsOf('$q_1$ and $q_1$', 'and $q_1$')
  const shownBefore = await makeFormulas(sections, by)
  assert.equal(by.asked, 1)
  assert.equal(await makeFormulas(sections, new Made(null)), shownBefore)
})

test('what nobody could make for lack of a thread is made when it is next looked at', async () => {
  const sections = sectionsOf('$q_2$')
  const none = new Typesetter({ start: async () => Promise.reject(new Error('There is none.')) })
  assert.equal(await makeFormulas(sections, none), null)
  assert.ok(lacksFormula(sections, readFormulas(null)))
  assert.ok(!lacksFormula(sections, readFormulas(await makeFormulas(sections))))
})

test('of what the database has as formulas, only formulas are read', () => {
  const kept = { $a$: ['mi', {}, 'a'], $b$: ['script', {}, 'b'], $c$: 'c', $d$: ['mi', { style: 'x' }, 'd'] }
  assert.deepEqual([...readFormulas(JSON.stringify(kept)).keys()], ['$a$'])
  assert.deepEqual([...readFormulas(null).keys()], [])
})

test('formulas are kept with each version that was sent', async t => {
  const sale = await startSale(t, {}, { takes_abstracts: true })
  await openCall(sale)
  const { db, accountId } = sale
  const { submission } = await begin(sale)
  const readKept = () =>
    db.read(accountId, tx =>
      tx.all<{ number: number; formulas: string | null }>(
        'SELECT number, formulas FROM abstract_revisions WHERE account_id = $1 ORDER BY number',
        [tx.accountId],
      ),
    )
  const sent = await send(sale, submission.id, contentOf({ sections: sectionsOf('It is $x$, or $\\frac$.') }))
  assert.deepEqual(await readKept(), [{ number: 1, formulas: '{"$x$":["mi",{},"x"]}' }])
  await send(sale, submission.id, contentOf({ sections: sectionsOf('There is none.') }))
  assert.deepEqual((await readKept()).slice(1), [{ number: 2, formulas: null }])
  await send(sale, submission.id, contentOf({ sections: sectionsOf('It is $y$.') }))
  const { formulas } = await db.read(accountId, tx => readSent(tx, { abstract_id: sent.id }))
  assert.deepEqual([...formulas], [['$y$', ['mi', {}, 'y']]])
})
