import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { JSDOM } from 'jsdom'
import { render } from 'preact-render-to-string'
import { fromTex } from '#machinery/formulas/from-tex.ts'
import { isMathTree, type MathTree } from '#machinery/formulas/math-tree.ts'
import { FormulaView } from '#machinery/web/components/formula-view.tsx'

const RUNS = 2_000
/** The same in each run, so that what a change breaks is seen. */
const SEED = 20261127

const shown = (tex: string, isBlock = false) => {
  const tree = fromTex({ tex, isBlock })
  return tree === undefined ? undefined : render(FormulaView({ tree, tex, isBlock }))
}

test('what abstracts have is shown as MathML, with what was typed as an annotation', () => {
  assert.equal(
    shown('p<0.05'),
    '<math display="inline"><semantics><mrow><mi>p</mi><mo>&lt;</mo><mn>0.05</mn></mrow>' +
      '<annotation encoding="application/x-tex">p&lt;0.05</annotation></semantics></math>',
  )
  for (const tex of [
    ...['x_i^2', '\\frac{a}{b}', '\\sqrt[3]{x}', '\\sum_{i=1}^{n} x_i', '\\bar{x} \\pm s', '\\overline{x}'],
    ...['\\chi^2', '25\\,^\\circ\\mathrm{C}', '\\left(\\frac12\\right)', '\\mathbb{R}', '\\text{if } x>0'],
    ...['\\ce{H2O}', '\\ce{2H2 + O2 -> 2H2O}', '\\ce{^{227}_{90}Th+}', '\\pu{12 kJ mol-1}', "f'(x)"],
    ...['\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}', '\\begin{cases}1&x>0\\\\0\\end{cases}', '\\boxed{x}'],
    ...['\\begin{aligned}a&=b\\\\c&=d\\end{aligned}', '\\begin{array}{c|c}1&2\\\\\\hline3&4\\end{array}'],
  ]) {
    assert.match(shown(tex) ?? '', /<math /, tex)
    assert.match(shown(tex, true) ?? '', /<math display="block">/, tex)
  }
})

test('the mass and number of an isotope stand before it', () => {
  const tree = (tex: string) => JSON.stringify(fromTex({ tex, isBlock: false }))
  const carbon = '["mrow",{},["mi",{"mathvariant":"normal"},"C"],["mspace",{}]]'
  const scripts = '["mprescripts",{}],["mrow",{}],["mrow",{},["mn",{},"14"]]'
  assert.equal(tree('\\ce{^14C}'), `["mrow",{},["mmultiscripts",{},${carbon},${scripts}]]`)
  assert.match(
    tree('\\ce{a + ^{227}_{90}Th+ -> ^14C}'),
    /\["mmultiscripts",\{\},\["mpadded",\{[^}]*\},\["mi",\{\},"Th"\]\],\["mprescripts",\{\}\],\["mrow",\{\},\["mn",\{\},"90"\]\],\["mrow",\{\},\["mn",\{\},"227"\]\]\],\["msup"/,
  )
  assert.equal(tree('\\ce{a + ^{227}_{90}Th+ -> ^14C}').split('mmultiscripts').length, 3)
})

test('a formula that is wrong, or says what is for the page to say, is not made', () => {
  const bad = {
    wrong: ['\\frac{a}', '\\nothing', 'x}', '{x', '\\begin{matrix}1', '&', '\\left(', '50%', '5%5'],
    'macros of its own': [
      ...[
        '\\def\\a{\\a}\\a',
        '\\newcommand\\a{\\a\\a}\\a',
        '\\gdef\\a{x}\\a',
        '\\let\\a\\href \\a{https://x}{y}',
      ],
      ...['\\edef\\a{\\a}', '\\global\\def\\a{x}', '\\renewcommand\\frac[2]{#1}', '\\futurelet\\a\\b c'],
    ],
    'what leads or looks elsewhere': [
      ...['\\href{https://x.example}{x}', '\\href{javascript:alert(1)}{x}', '\\url{https://x.example}'],
      ...['\\includegraphics{https://x.example/a.png}', '\\texttip{x}{y}', '\\mathtip{x}{y}'],
    ],
    'what is for the page': [
      '\\class{a}{x}',
      '\\id{a}{x}',
      '\\style{color:red}{x}',
      '\\data{a=b}{x}',
      '\\rule{9em}{9em}',
    ],
    'what is not in MathML Core': ['\\cancel{x}', '\\xcancel{x}', '\\longdiv{x}'],
    'characters that turn what stands beside them': [
      '\\char"202E x',
      'x\u202ey',
      '\\text{\u2066x}',
      '\\char"0',
    ],
  }
  for (const [why, all] of Object.entries(bad)) {
    for (const tex of all) assert.equal(shown(tex), undefined, `${why}: ${tex}`)
  }
})

test('a formula that would take all memory is refused before anything is made of it', () => {
  const nested = (command: string, times: number) => `${`${command}{`.repeat(times)}x${'}'.repeat(times)}`
  for (const tex of [
    ...['\\begin{alignedat}{1e9}x\\end{alignedat}', '\\begin{alignat*} {999999999}x\\end{alignat*}'],
    ...['\\begin{\\char"61 lignedat}{1e9}x\\end{alignedat}', '\\begin%\n{alignedat}{1e9}x\\end{alignedat}'],
    ...[`${'\\sqrt{%}\n'.repeat(13)}x${'}'.repeat(13)}`, '\\verb|}|'],
    ...[nested('\\llap', 11), nested('\\cancelto{x}', 11), nested('\\equilibriumLeft', 11)],
    ...[nested('\\sqrt', 13), nested('', 13), '\\left('.repeat(13) + '\\right)'.repeat(13)],
    `${'\\ce{A<=>>[$'.repeat(5)}x${'$]B}'.repeat(5)}`,
  ])
    assert.equal(shown(tex, true), undefined, tex)
  assert.notEqual(shown(nested('\\sqrt', 12)), undefined)
})

test('colours, sizes, sides of a page and long ways are left out, and what is said stays', () => {
  for (const tex of [
    ...['\\color{red}x', '\\Huge x', '\\hspace{-100em}x', '\\kern999em x', '\\raisebox{100em}{x}'],
    ...['\\bm{x}', '\\pmb{x}', '\\vec{x}', '\\widehat{xyz}', '\\reflectbox{x}', '\\fbox{x}', '\\tag{1} x'],
  ]) {
    const html = shown(tex, true)?.replace(/<annotation.*?<\/annotation>/, '')
    assert.doesNotMatch(html ?? '', / style=|color|mathsize|00em|9em/, tex)
  }
  assert.match(shown('\\color{red}x') ?? '', /<mi>x<\/mi>/)
  assert.match(shown('\\Huge x') ?? '', /<mi>x<\/mi>/)
})

test('what looks like HTML in a formula is text', () => {
  const html = shown('\\text{</math><script>alert(1)</script>}') ?? ''
  assert.match(html, /<mtext>&lt;\/math>&lt;script>/)
  assert.equal(new JSDOM(html).window.document.querySelector('script'), null)
})

/** All that may ever be in a page of a formula. */
const ELEMENTS = new Set(
  (
    'math semantics annotation span mrow mstyle mphantom mpadded mspace mfrac msqrt mroot msub msup msubsup munder mover munderover ' +
    'mmultiscripts mprescripts mtable mtr mtd mi mn mo mtext'
  ).split(' '),
)
const ATTRIBUTES =
  /^(?:display="(?:block|inline)"|encoding="application\/x-tex"|tabindex="0"|(?:displaystyle|fence|separator|stretchy|symmetric|largeop|movablelimits|accent|accentunder)="(?:true|false)"|scriptlevel="[+-]?[0-3]"|mathvariant="normal"|form="(?:prefix|infix|postfix)"|(?:lspace|rspace|minsize|maxsize|width|height|depth|voffset|linethickness)="[+-]?[\d.]{1,12}(?:em|ex|px|pt)?"|class="(?:formula|formula block|boxed|(?:(?:at|flush|line)-(?:left|right|top|bottom) ?)+)")$/

const { document } = new JSDOM().window

/** Returns what of a formula in a page is in neither list. */
function strange(html: string): string[] {
  document.body.innerHTML = html
  return [...document.body.querySelectorAll('*')].flatMap(element => [
    ...(ELEMENTS.has(element.localName) ? [] : [element.localName]),
    ...[...element.attributes]
      .map(({ name, value }) => `${name}="${value}"`)
      .filter(attribute => !ATTRIBUTES.test(attribute)),
  ])
}

const atoms = fc.constantFrom(
  ...['x', '1', '+', '=', '&', '\\\\', '_', '^', '{', '}', '[', ']', "'", ' ', '<', '>', '"', '$', '%', '#'],
  ...[
    '\\alpha',
    '\\frac',
    '\\sqrt',
    '\\hat',
    '\\vec',
    '\\text',
    '\\mathrm',
    '\\mathbf',
    '\\color{red}',
    '\\Huge',
  ],
  ...[
    '\\left(',
    '\\right)',
    '\\begin{matrix}',
    '\\end{matrix}',
    '\\begin{array}{c|c}',
    '\\end{array}',
    '\\hline',
  ],
  ...[
    '\\begin{align}',
    '\\end{align}',
    '\\tag{1}',
    '\\ce{',
    '\\pu{',
    '->',
    '<=>',
    'H2O',
    '\\overline',
    '\\boxed',
  ],
  ...[
    '\\hspace{-99em}',
    '\\raisebox{9em}',
    '\\href{javascript:x}',
    '\\class{a}',
    '\\style{color:red}',
    '\\data{a=b}',
  ],
  ...[
    '\\id{x}',
    '\\includegraphics{x}',
    '\\def\\x{\\x}',
    '\\x',
    '\\newcommand',
    '\\cancel',
    '\\textcolor{red}',
  ],
  ...[
    '\\colorbox{red}',
    '\\fcolorbox{red}{blue}',
    '\\char"202E',
    '\\verb|<b>|',
    '</math>',
    '<script>',
    '\\phantom',
  ],
  ...[
    '\\smash',
    '\\overbrace',
    '\\xrightarrow',
    '\\operatorname',
    '\\sideset',
    '\\prescript',
    '\\reflectbox',
  ],
  ...['\\bordermatrix', '\\enclose{box}', '\\toggle', '\\limits', '\\middle|', '\\genfrac', '\\pmb', '\\not'],
)

test('whatever is typed as a formula, nothing but what is listed is ever shown of it', t => {
  let made = 0
  fc.assert(
    fc.property(fc.array(atoms, { maxLength: 30 }), fc.boolean(), (parts, isBlock) => {
      const html = shown(parts.join(''), isBlock)
      if (html === undefined) return
      made++
      assert.deepEqual(strange(html), [], parts.join(''))
    }),
    { numRuns: RUNS, seed: SEED },
  )
  t.diagnostic(`${made} of ${RUNS} are formulas`)
  assert.ok(made > RUNS / 10, `${made}`)
})

test('of formulas that somebody has written into the database, nothing else is shown either', () => {
  const names = fc.constantFrom(
    'mi',
    'mo',
    'mrow',
    'mfrac',
    'mtd',
    'script',
    'a',
    'math',
    'constructor',
    'style',
  )
  const attributes = fc.dictionary(
    fc.constantFrom(
      'class',
      'style',
      'href',
      'onclick',
      'width',
      'form',
      '__proto__',
      'dangerouslySetInnerHTML',
    ),
    fc.constantFrom('at-left', 'prefix', '1em', '99em', 'true', 'javascript:x', { __html: '<script>' }),
  )
  const { tree } = fc.letrec<{ tree: unknown }>(tie => ({
    tree: fc
      .tuple(
        names,
        attributes,
        fc.array(fc.oneof({ depthSize: 'small' }, fc.string(), tie('tree')), { maxLength: 3 }),
      )
      .map(([name, set, content]) => [name, set, ...content]),
  }))
  let taken = 0
  fc.assert(
    fc.property(tree, value => {
      const read: unknown = JSON.parse(JSON.stringify(value))
      if (!isMathTree(read)) return
      taken++
      assert.deepEqual(strange(render(FormulaView({ tree: read, tex: 'x', isBlock: false }))), [])
    }),
    { numRuns: RUNS, seed: SEED },
  )
  assert.ok(taken > 0)
})

test('a tree with anything that is not listed is none', () => {
  const good: MathTree = ['mrow', {}, ['mi', {}, 'x'], ['mspace', { width: '1em' }]]
  assert.ok(isMathTree(good))
  for (const bad of [
    ...[
      null,
      'mi',
      {},
      [],
      ['mi'],
      ['mi', null, 'x'],
      ['mi', [], 'x'],
      ['mi', {}, 1],
      ['mi', {}, ['mi', {}, 'x']],
    ],
    ...[
      ['script', {}, 'x'],
      ['math', {}],
      ['mrow', {}, 'x'],
      ['mrow', {}, ['a', { href: 'x' }]],
    ],
    ...[
      ['mi', { style: 'color:red' }, 'x'],
      ['mi', { class: 'button' }, 'x'],
      ['mtd', { class: 'button' }],
    ],
    ...[
      ['mspace', { width: '31em' }],
      ['mspace', { width: '-1em' }],
      ['mspace', { width: '1vw' }],
    ],
    ...[
      ['mfrac', {}, ['mi', {}, 'x']],
      ['mi', {}, '\u202e'],
      ['mi', {}, '\u0000'],
    ],
    Array.from({ length: 61 }).reduce<unknown>(inner => ['mrow', {}, inner], ['mi', {}, 'x']),
  ])
    assert.ok(!isMathTree(bad), JSON.stringify(bad))
})
