import { Problem } from '#base/problem.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import type { FormParts } from '#faces/dashboard/frame/form-parts.tsx'
import { type AccountRequest, actorOf } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { type Mapping, type SingleField, severalFields, singleFields } from '#machinery/bank-files/mapping.ts'
import { Banner, Facts } from '#machinery/web/components/parts.tsx'
import { choiceField, choicesField, type Field } from '#machinery/web/forms/field.ts'
import type { Fields } from '#machinery/web/forms/form.ts'
import type { Upload } from '#product/selling/bank-statements/schemas.ts'
import * as uploads from '#product/selling/bank-statements/uploads.ts'
import type { Texts } from '#texts/texts.ts'
import { OF_STATEMENTS } from './statement-parts.tsx'

const NONE = 'none'
/** Columns are named by their place, because a header may be anything. */
const at = (place: number) => `c${place}`

const main = ['date', 'amount', 'text', 'counterparty'] as const
const others = [
  'credit',
  'debit',
  'flag',
  'currency',
  'value_date',
  'bank_id',
  'status',
  'order',
  'decimal',
] as const

function fieldsOf({ input: { columns } }: Upload): Fields {
  const places = columns.map((_, place) => at(place))
  const choicesOf = columns.map((name, place) => ({ value: at(place), label: `\u2068${name}\u2069` }))
  const labelled = (name: keyof Texts['statements']['columns']) => ({
    label: (texts: Texts) => texts.statements.columns[name],
    ...(name in helps && { help: (texts: Texts) => texts.statements.help[name as keyof typeof helps] }),
  })
  const single = singleFields.map((name): [string, Field<string>] => [
    name,
    choiceField(
      [NONE, ...places],
      texts => [{ value: NONE, label: texts.statements.noColumn }, ...choicesOf],
      labelled(name),
    ),
  ])
  const several = severalFields.map((name): [string, Field<readonly string[]>] => [
    name,
    choicesField(places, () => choicesOf, labelled(name)),
  ])
  const order = choiceField(
    [NONE, 'dmy', 'mdy'],
    ({ statements: labels }) => [
      { value: NONE, label: labels.bySelf },
      { value: 'dmy', label: labels.orders.dmy },
      { value: 'mdy', label: labels.orders.mdy },
    ],
    labelled('order'),
  )
  const decimal = choiceField(
    [NONE, ',', '.'],
    ({ statements: labels }) => [
      { value: NONE, label: labels.bySelf },
      { value: ',', label: labels.decimals[','] },
      { value: '.', label: labels.decimals['.'] },
    ],
    labelled('decimal'),
  )
  return { ...Object.fromEntries([...single, ...several]), order, decimal }
}

const helps = { amount: true, credit: true, text: true, bank_id: true } as const

function initialOf({ input: { columns, mapping } }: Upload) {
  const placeOf = (name: string | null) => {
    const place = name === null ? -1 : columns.indexOf(name)
    return place === -1 ? NONE : at(place)
  }
  return {
    ...Object.fromEntries(singleFields.map(name => [name, placeOf(mapping[name])])),
    ...Object.fromEntries(
      severalFields.map(name => [name, mapping[name].map(placeOf).filter(one => one !== NONE)]),
    ),
    order: mapping.order ?? NONE,
    decimal: mapping.decimal ?? NONE,
  }
}

function mappingOf(values: Readonly<Record<string, unknown>>, columns: readonly string[]): Mapping {
  const nameOf = (value: unknown) => columns[Number(String(value).slice(1))] ?? null
  const named = (name: string) => ((values[name] ?? []) as string[]).map(nameOf).filter(one => one !== null)
  const single = singleFields.map(name => [name, values[name] === NONE ? null : nameOf(values[name])])
  return {
    ...(Object.fromEntries(single) as Record<SingleField, string | null>),
    counterparty: named('counterparty'),
    text: named('text'),
    order: values.order === NONE ? null : (values.order as 'dmy' | 'mdy'),
    decimal: values.decimal === NONE ? null : (values.decimal as ',' | '.'),
  }
}

/** Says which column of a bank's file is what, and has its lines read by that. */
export const statementColumns = formPage('account', {
  ...OF_STATEMENTS,
  path: '/a/{account}/statements/files/{file}/columns',
  load: async (tx, { params }) => {
    const upload = await uploads.get(tx, params.file ?? '')
    // The file of the upload is gone.
    if (upload.isUnderWay || upload.isDone) throw new Problem('not_found')
    return upload
  },
  fields: fieldsOf,
  initial: initialOf,
  parts: columnsParts,
  prepare: async (values, request, { db }) => {
    const id = request.params.file ?? ''
    const { input } = await db.read(request.account.id, tx => uploads.get(tx, id))
    await uploads.choose(db, actorOf(request), id, mappingOf(values, input.columns))
  },
  act: async () => undefined,
  // The rule writes the entry, as it writes everything else.
  entry: () => ({ action: 'statement.columns', targetType: 'job', hasChanged: () => false }),
  next: (_, { account, params }) => ({ path: paths.statement(account.id, params.file ?? '') }),
  fieldOf: param => param.replace(/^mapping\./, ''),
})

function columnsParts({ input }: Upload, { account, voice }: AccountRequest): FormParts {
  const { statements: labels } = voice.texts
  return {
    title: labels.columnsTitle,
    crumbs: labels.title,
    about: <bdi>{labels.columnsAbout(`\u2068${input.name || labels.file}\u2069`)}</bdi>,
    notices: (
      <>
        {input.unfit.length > 0 && <Banner tone="warn">{labels.unfit}</Banner>}
        {input.encoding_guessed && <Banner tone="warn">{labels.guessedEncoding}</Banner>}
      </>
    ),
    first: <Sample input={input} caption={labels.sample} />,
    // The user may choose other columns on the same page.
    ...{ submit: labels.readLines, leave: paths.statements(account.id), isOnCard: true, isRepeatable: true },
    ...(isGood(input)
      ? {
          above: <Guess input={input} labels={labels} />,
          rows: [{ summary: labels.otherColumns, names: [...main, ...others] }],
        }
      : { rows: [main, { summary: labels.moreColumns, names: others }] }),
  }
}

/** Tells whether the guess has all that lines need, so that most people only look over it. */
function isGood({ unfit, mapping: { date, amount, credit, text } }: Upload['input']): boolean {
  return unfit.length === 0 && date !== null && (amount !== null || credit !== null) && text.length > 0
}

/** Lists which column was taken for what. */
function Guess({ input: { mapping }, labels }: { input: Upload['input']; labels: Texts['statements'] }) {
  const taken = [...singleFields, ...severalFields].flatMap(name => {
    const columns = [mapping[name] ?? []].flat()
    return columns.length === 0 ? [] : [[labels.columns[name], columns] as const]
  })
  return (
    <Facts
      facts={taken.map(([label, columns]) => [
        label,
        columns.map((column, at) => (
          <>
            {at > 0 && ', '}
            <bdi>{column}</bdi>
          </>
        )),
      ])}
    />
  )
}

function Sample({ input: { columns, sample }, caption }: { input: Upload['input']; caption: string }) {
  return (
    <section class="card stack" aria-labelledby="sample">
      <h2 id="sample">{caption}</h2>
      <dl class="facts">
        {columns.map((name, place) => (
          <>
            <dt>
              <bdi>{name}</bdi>
            </dt>
            <dd>
              <ul class="sample">
                {sample
                  .map(cells => cells[place] ?? '')
                  .filter(cell => cell !== '')
                  .map(cell => (
                    <li key={cell}>
                      <bdi>{cell}</bdi>
                    </li>
                  ))}
              </ul>
            </dd>
          </>
        ))}
      </dl>
    </section>
  )
}
