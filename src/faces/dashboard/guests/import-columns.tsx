import { Problem } from '#base/problem.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import type { View } from '#faces/dashboard/frame/page.ts'
import { actorOf, type EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { Banner, Head } from '#machinery/web/components/parts.tsx'
import type { Choice } from '#machinery/web/forms/control-kinds.ts'
import { choiceField, type Field } from '#machinery/web/forms/field.ts'
import type { FormState } from '#machinery/web/forms/form.ts'
import { FieldRows, FoldedRows, Form } from '#machinery/web/forms/form-view.tsx'
import { withQuery } from '#machinery/web/link.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import type { RegistrationType } from '#product/catalog/registration-types/schemas.ts'
import { listTop, possibleHeaders, readUnder } from '#product/guests/imports/choose-header.ts'
import {
  answersOf,
  fieldsOf as fieldsFor,
  type ImportField,
  type Target,
} from '#product/guests/imports/columns.ts'
import * as imports from '#product/guests/imports/rules.ts'
import type { ImportLine } from '#product/guests/imports/schemas.ts'
import { systemNames } from '#product/guests/imports/systems.ts'
import type { Texts } from '#texts/texts.ts'

/** This many lines are shown beside each column, and this many to choose the header from, each up to this many characters. */
const SAMPLE = 5
const CHOICES = 10
const MAX_SHOWN = 80
/** This choice takes the type that each line names. */
const OF_LINES = 'lines'

const TYPE = 'registration_type_id'

interface Loaded {
  upload: imports.Upload
  types: readonly RegistrationType[]
  /** The first lines of the file, and those of them that may name the columns. */
  top: readonly ImportLine[]
  headers: readonly ImportLine[]
}

const HEADER = 'header'

async function load(tx: ReadTx, { event, params, query }: EventRequest): Promise<Loaded> {
  const upload = await imports.get(tx, params.job ?? '', event.id)
  if (upload.imported !== undefined && upload.isUnderWay)
    throw new Problem('invalid_transition', { details: { reason: 'import_under_way' } })
  const top = await listTop(tx, upload.job.id)
  const { header_line } = upload.input
  // The address has the line that somebody has chosen, and the form that is sent keeps it.
  const requested = Number.parseInt(query.get(HEADER) ?? '', 10)
  const possible = header_line === undefined ? [] : possibleHeaders(top)
  const chosen = possible.find(({ line }) => line === requested)?.line
  return {
    upload: { ...upload, input: await readUnder(tx, upload.job.id, upload.input, chosen) },
    types: await registrationTypes.listTickets(tx, event.id),
    top,
    headers: possible.filter(({ line }, at) => at < CHOICES || line === (chosen ?? header_line)),
  }
}

function columnName(at: number): string {
  return `columns.${at}`
}

/**
 * Returns a header as a part of a sentence, in whichever direction it is written. The characters replace `bdi` where no markup is
 * possible.
 */
function headerOf(header: string, at: number, { imports: texts }: Texts): string {
  return header.trim() === '' ? texts.columnAt(at + 1) : `\u2068${header}\u2069`
}

function fieldsOf({ upload: { input }, types }: Loaded): Record<string, Field<string>> {
  const { headers, columns, system } = input
  const answers = answersOf(headers)
  const fields = headers.map((header, at) => {
    // A column can be an answer by its own name, and by the name that was chosen.
    const own = new Set(
      [answers[at], columns[at]].filter((one): one is Target => one?.startsWith('answer:') ?? false),
    )
    const targets: string[] = ['none', ...fieldsFor(system), ...own]
    const choices = (texts: Texts) => targets.map(value => ({ value, label: targetLabel(value, texts) }))
    return [columnName(at), choiceField(targets, choices, { label: texts => headerOf(header, at, texts) })]
  })
  const ids = [OF_LINES, ...types.map(({ id }) => id)]
  const type = choiceField(ids, texts => typeChoices(types, texts), {
    label: texts => texts.imports.type,
    help: texts => texts.imports.typeHelp,
  })
  return { [TYPE]: type, ...Object.fromEntries(fields) }
}

function typeChoices(types: readonly RegistrationType[], texts: Texts): Choice[] {
  const named = types.map(({ id, name }) => ({ value: id, label: name }))
  return [{ value: OF_LINES, label: texts.imports.typeOfColumn }, ...named]
}

function targetLabel(target: string, { imports: texts }: Texts): string {
  if (target === 'none') return texts.leftOut
  return target.startsWith('answer:')
    ? texts.answer(target.slice('answer:'.length))
    : texts.fields[target as ImportField]
}

function initialOf({ upload: { input } }: Loaded): Record<string, string> {
  const columns = input.columns.map((target, at) => [columnName(at), target])
  return { [TYPE]: input.registration_type_id ?? OF_LINES, ...Object.fromEntries(columns) }
}

/** Says what each column means, and has the lines checked by that. */
export const importColumns = formPage('event', {
  path: '/e/{event}/guests/import/{job}/columns',
  permission: 'guests.edit',
  load,
  fields: fieldsOf,
  initial: initialOf,
  view: columnsView,
  act: (tx, request, { values, loaded: { upload } }) => {
    const { job, input } = upload
    const columns = input.headers.map((_, at) => values[columnName(at)] ?? 'none')
    const type = values[TYPE] ?? OF_LINES
    const registrationTypeId = type === OF_LINES ? null : type
    return imports.check(tx, job.id, {
      headerLine: input.header_line,
      columns,
      registrationTypeId,
      by: actorOf(request).who,
    })
  },
  entry: ({ params }) => ({ action: 'import.check', targetType: 'job', targetId: params.job }),
  next: ({ id }, { event }) => ({ path: paths.guestImport(event.id, id) }),
})

function columnsView(
  { upload: { job, input }, top, headers }: Loaded,
  request: EventRequest,
  state: FormState,
): View {
  const { event, voice } = request
  const { imports: texts } = voice.texts
  const upload = paths.importGuests(event.id)
  const columns = paths.guestImport(event.id, job.id, 'columns')
  const { header_line = 0, lines = 0 } = input
  const sample = top.filter(({ line }) => line > header_line).slice(0, SAMPLE)
  const below =
    header_line === 0 ? (job.total ?? 0) : lines - top.filter(({ line }) => line <= header_line).length
  // What a shop needs and nobody was asked is most of its export, and would keep people from what they are to look at.
  const isFolded = (at: number) => input.system !== undefined && input.columns[at] === 'none'
  const all = [...input.headers.keys()]
  const [shown, folded] = [all.filter(at => !isFolded(at)), all.filter(isFolded)]
  const toRow = (at: number) => (
    <div class="pair column" key={columnName(at)}>
      <FieldRows state={state} texts={voice.texts} names={[columnName(at)]} />
      <Sample
        name={texts.firstValues(headerOf(input.headers[at] ?? '', at, voice.texts))}
        at={at}
        lines={sample}
      />
    </div>
  )
  return {
    title: texts.columnsTitle,
    body: (
      <>
        <Head
          title={texts.columnsTitle}
          crumbs={
            <>
              <a href={upload}>{texts.title}</a> · <bdi>{input.name || texts.pasted}</bdi>
            </>
          }
          about={texts.columnsAbout(below)}
        />
        {input.system !== undefined && (
          <Banner tone="good">{texts.recognized(systemNames[input.system])}</Banner>
        )}
        {input.encoding_guessed && <Banner tone="warn">{texts.guessedEncoding}</Banner>}
        {headers.length > 1 && (
          <HeaderChoice action={columns} headers={headers} current={header_line} texts={voice.texts} />
        )}
        <div class="card">
          <Form
            state={state}
            texts={voice.texts}
            action={header_line === 0 ? columns : withQuery(columns, { [HEADER]: String(header_line) })}
            submit={texts.check}
            leave={upload}
          >
            <FieldRows state={state} texts={voice.texts} names={[TYPE]} />
            {shown.map(toRow)}
            {folded.length > 0 && (
              <FoldedRows
                state={state}
                texts={voice.texts}
                names={folded.map(columnName)}
                summary={texts.skippedColumns(folded.length)}
              >
                {folded.map(toRow)}
              </FoldedRows>
            )}
          </Form>
        </div>
      </>
    ),
  }

  function Sample({ name, at, lines }: { name: string; at: number; lines: readonly ImportLine[] }) {
    const isFilled = lines.some(({ cells }) => cells[at])
    return (
      <ul class="sample" aria-label={name}>
        {(isFilled ? lines : lines.slice(0, 1)).map(({ line, cells }) => (
          <li key={line}>{cells[at] ? <bdi>{cells[at]}</bdi> : <span class="quiet">{texts.empty}</span>}</li>
        ))}
      </ul>
    )
  }
}

interface HeaderChoiceProps {
  action: string
  headers: readonly ImportLine[]
  current: number
  texts: Texts
}

/** Says which line names the columns, and lets people choose another of the first ones. It changes nothing until they go on. */
function HeaderChoice({ action, headers, current, texts: { imports: texts } }: HeaderChoiceProps) {
  return (
    <form class="tools" method="get" action={action}>
      <div class="field">
        <label for={HEADER}>{texts.headerLine}</label>
        <select id={HEADER} name={HEADER} aria-describedby={`${HEADER}-help`}>
          {headers.map(({ line, cells }) => (
            <option key={line} value={line} selected={line === current}>
              {texts.headerChoice(line, excerptOf(cells))}
            </option>
          ))}
        </select>
        <p class="help" id={`${HEADER}-help`}>
          {texts.headerHelp}
        </p>
      </div>
      <button type="submit" class="button">
        {texts.useHeader}
      </button>
    </form>
  )
}

function excerptOf(cells: readonly string[]): string {
  const text = cells.filter(cell => cell !== '').join(' · ')
  const letters = [...text.slice(0, 2 * MAX_SHOWN)]
  return letters.length > MAX_SHOWN ? `${letters.slice(0, MAX_SHOWN).join('')}…` : letters.join('')
}
