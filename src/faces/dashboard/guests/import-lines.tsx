import { say } from '#base/faults.ts'
import type { List } from '#machinery/web/lists/list.tsx'
import type { ImportField } from '#product/guests/imports/columns.ts'
import type { CheckInput, ImportLine } from '#product/guests/imports/schemas.ts'
import type { Texts } from '#texts/texts.ts'

/** Says what is wrong with a line. Each fault stands after the name of its column, as the file has it. */
export function describeLine(
  texts: Texts,
  { details }: ImportLine,
  { headers, columns }: CheckInput,
): string {
  const { faults = [], same_as } = details
  const sentences = faults.map(({ field, fault }) => {
    const header = field === null ? undefined : headers[(columns as string[]).indexOf(field)]
    const name = header || nameOf(texts, field)
    const sentence = texts.imports.faultOf(name, say(texts.imports.ofLines, fault))
    return fault.key === 'twice' && same_as !== undefined
      ? `${sentence} (${texts.imports.atLineAlone(same_as)})`
      : sentence
  })
  return sentences.join('; ')
}

function nameOf({ imports: texts }: Texts, field: string | null): string {
  if (field === null) return texts.line
  return field.startsWith('answer:') ? field.slice('answer:'.length) : texts.fields[field as ImportField]
}

/** Lists the lines of an upload with what becomes of them. */
export function lineList(
  input: CheckInput,
  caption: string,
  { typeNames }: { typeNames: ReadonlyMap<string, string> },
): List<ImportLine> {
  const cellOf = (line: ImportLine, ...fields: ImportField[]) =>
    fields
      .map(field => line.cells[input.columns.indexOf(field)] ?? '')
      .filter(cell => cell !== '')
      .join(' ')
  return {
    caption: () => caption,
    columns: [
      {
        label: texts => texts.imports.line,
        place: 'amount',
        cell: ({ line }, { texts, format }) => (
          <span class="whole">{texts.imports.lineAt(format.number(line))}</span>
        ),
      },
      {
        label: texts => texts.imports.fields.name,
        place: 'name',
        cell: line => (
          <bdi>
            {line.details.guest?.holder ??
              line.details.guest?.name ??
              (cellOf(line, 'attendee_name') ||
                cellOf(line, 'attendee_first_name', 'attendee_last_name') ||
                cellOf(line, 'name') ||
                cellOf(line, 'first_name', 'last_name') ||
                '–')}
          </bdi>
        ),
      },
      {
        label: texts => texts.imports.fields.email,
        place: 'wide',
        cell: line => (
          <bdi>{line.details.guest?.email ?? (cellOf(line, 'email') || cellOf(line, 'attendee_email'))}</bdi>
        ),
      },
      {
        label: texts => texts.imports.type,
        place: 'wide',
        cell: line => (
          <bdi>
            {typeNames.get(line.details.guest?.registration_type_id ?? '') ??
              cellOf(line, 'type', 'type_variant')}
          </bdi>
        ),
      },
      {
        label: texts => texts.imports.note,
        place: 'line',
        cell: (line, { texts }) => <bdi>{noteOf(texts, line, input)}</bdi>,
      },
    ],
  }
}

/** Returns what to know about a line beside its fate. */
function noteOf(texts: Texts, line: ImportLine, input: CheckInput): string {
  const { guest, known_by, same_as, faults = [] } = line.details
  const { imports: labels } = texts
  const notes = [
    describeLine(texts, line, input),
    line.fate === 'left_out' && (line.cells[input.columns.indexOf('status')] ?? ''),
    line.fate === 'known' && (known_by === 'reference' ? labels.knownByReference : labels.knownByLine),
    same_as !== undefined && faults.length === 0 && labels.sameAs(same_as),
    guest !== undefined && guest.quantity > 1 && labels.tickets(guest.quantity),
  ]
  return notes.filter(Boolean).join('; ')
}
