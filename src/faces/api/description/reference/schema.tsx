import { type ComponentChildren, Fragment } from 'preact'
import { nameOf, type Schema } from './document.ts'
import { Markdown } from './markdown.tsx'

export function schemaAnchor(name: string): string {
  return `object-${name}`
}

/** A field is one line of a list of fields or parameters. */
export interface Field {
  name: string
  schema: Schema
  /** This note stands beside the type, such as `required`. */
  note?: string | undefined
  description?: string | undefined
}

/**
 * Lists the fields of an object, and below each field those of the object in it. A request marks the fields that it needs, an
 * answer those that it may lack.
 */
export function Properties({ schema, isRequest }: { schema: Schema; isRequest: boolean }) {
  const { properties, required = [] } = schema
  if (properties === undefined) return null
  const noteOf = (name: string) => {
    const isRequired = required.includes(name)
    if (isRequest) return isRequired ? 'required' : undefined
    return isRequired ? undefined : 'not always there'
  }
  const fields = Object.entries(properties).map(([name, property]) => ({
    name,
    schema: property,
    note: noteOf(name),
  }))
  return <FieldList fields={fields} isRequest={isRequest} />
}

export function FieldList({ fields, isRequest }: { fields: readonly Field[]; isRequest: boolean }) {
  return (
    <ul class="fields">
      {fields.map(field => (
        <FieldItem key={field.name} field={field} isRequest={isRequest} />
      ))}
    </ul>
  )
}

/** Shows one field. It also starts a new line in the source of the page. */
function FieldItem({ field, isRequest }: { field: Field; isRequest: boolean }) {
  const { name, schema, note, description = schema.description } = field
  const inner = innerObject(schema)
  return (
    <>
      {'\n'}
      <li>
        <code class="name">{name}</code> <span class="type">{describeType(schema)}</span>
        {note !== undefined && (
          <>
            {' '}
            <strong class="note">{note}</strong>
          </>
        )}
        {description !== undefined && <Markdown text={description} />}
        {inner !== undefined && <Properties schema={inner} isRequest={isRequest} />}
      </li>
    </>
  )
}

/** Returns the object that a field holds: directly, in a list, or as the alternative to null. */
function innerObject({ properties, items, anyOf, ...schema }: Schema): Schema | undefined {
  if (properties !== undefined) return { ...schema, properties }
  if (items !== undefined) return innerObject(items)
  return anyOf?.map(innerObject).find(inner => inner !== undefined)
}

/** Says in words what a field may hold, such as `string, 1 to 200 characters, or null`. */
export function describeType(schema: Schema): ComponentChildren {
  const { $ref, const: constant, enum: values, anyOf, type, items } = schema
  if ($ref !== undefined) {
    const name = nameOf($ref)
    return <a href={`#${schemaAnchor(name)}`}>{name}</a>
  }
  if (constant !== undefined) {
    return (
      <>
        always <code>{JSON.stringify(constant)}</code>
      </>
    )
  }
  if (values !== undefined) {
    const codes = values.map(value => <code key={String(value)}>{String(value)}</code>)
    return [joined(codes, ' or '), limits(schema)]
  }
  if (anyOf !== undefined) return joined(anyOf.map(describeType), ' or ')
  if (type === 'array' && items !== undefined) return ['list of ', describeType(items), limits(schema)]
  return [type ?? 'anything', limits(schema)]
}

function limits(schema: Schema): ComponentChildren {
  const { format, minimum, maximum, minLength, maxLength, minItems, maxItems, maxProperties } = schema
  const parts: ComponentChildren[] = []
  if (format !== undefined) parts.push(format)
  const range = (least: number | undefined, most: number | undefined, unit: string) => {
    if (most !== undefined)
      parts.push(`${least ? `${least} to ` : minimum === 0 ? '0 to ' : 'at most '}${most}${unit}`)
    else if (least !== undefined) parts.push(`${least} or more${unit}`)
  }
  range(minimum, maximum, '')
  range(minLength, maxLength, ' characters')
  range(minItems, maxItems, ' items')
  range(undefined, maxProperties, ' keys')
  if (schema.pattern !== undefined) {
    parts.push(
      <>
        like <code>{schema.pattern}</code>
      </>,
    )
  }
  if (schema.default !== undefined) {
    parts.push(
      <>
        <code>{String(schema.default)}</code> by default
      </>,
    )
  }
  return parts.map((content, at) => <Fragment key={at}>, {content}</Fragment>)
}

function joined(contents: readonly ComponentChildren[], separator: string): ComponentChildren {
  return contents.map((content, at) => (at === 0 ? content : [separator, content]))
}
