import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describeApi } from '#faces/api/description/describe.ts'

// biome-ignore lint/suspicious/noExplicitAny: the document is walked as the JSON that it is
type Json = any

/** The document as clients get it. */
export const apiDocument: Json = JSON.parse(JSON.stringify(describeApi()))

/** Returns each operation and status that the document has, except `default`: `createCheckIn 409`. */
export function describedAnswers(): string[] {
  const answers: string[] = []
  for (const path of Object.values<Json>(apiDocument.paths)) {
    for (const method of ['get', 'post']) {
      const operation = path[method]
      if (operation === undefined) continue
      for (const status of Object.keys(operation.responses)) {
        if (status !== 'default') answers.push(`${operation.operationId} ${status}`)
      }
    }
  }
  return answers
}

const ajv = new Ajv2020({ strict: false, allErrors: true })
formats.default(ajv)
ajv.addSchema(closed(apiDocument), 'api')
const validators = new Map<string, ValidateFunction>()

/** The document with every object of an answer closed, so that a field which it does not describe is seen. */
function closed(node: Json): Json {
  if (Array.isArray(node)) return node.map(closed)
  if (typeof node !== 'object' || node === null) return node
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]))
  if (copy.type === 'object' && copy.properties && copy.additionalProperties === undefined) {
    copy.additionalProperties = false
  }
  return copy
}

export interface ReceivedAnswer {
  method: string
  path: string
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

/**
 * Checks an answer against the document: its status, its headers, its type, its body and its error code. The document describes
 * only the type of a body that is not JSON.
 *
 * @returns the operation and status it belongs to, or undefined for a path or method that the document has not
 */
export function checkAnswer(answer: ReceivedAnswer): string | undefined {
  const where = `${answer.method} ${answer.path} -> ${answer.status}`
  const found = findOperation(answer.method, answer.path)
  const pointer =
    found === undefined
      ? undefined
      : `${found.pointer}/responses/${found.operation.responses[answer.status] === undefined ? 'default' : answer.status}`
  if (pointer?.endsWith('default') && answer.status < 500 && answer.status !== 408 && answer.status !== 431) {
    throw new Error(`${where}: the document does not have this status.`)
  }
  const response = pointer === undefined ? undefined : resolve(pointer)
  checkHeaders(where, answer, response?.headers)
  if (answer.status === 302) {
    checkWay(where, answer)
    return undefined
  }
  const type = checkType(where, answer, response?.content)
  if (answer.method === 'HEAD') return undefined
  if (type !== 'application/json') return found && `${found.operation.operationId} ${answer.status}`
  const schema =
    pointer === undefined ? '/components/schemas/Error' : `${pointer}/content/application~1json/schema`
  const body: Json = JSON.parse(answer.text)
  const { error } = body
  const code = error?.code
  const validate = validatorOf(schema)
  if (!validate(body)) throw new Error(`${where}: ${ajv.errorsText(validate.errors)}\n${answer.text}`)
  if (/^(invalid|unknown)_parameter$/.test(code)) checkIssues(where, error)
  const described = response?.content['application/json'].examples
  if (described !== undefined && described[code] === undefined) {
    throw new Error(`${where}: the document does not have the code ${code} here.`)
  }
  return found && `${found.operation.operationId} ${answer.status}`
}

/** Checks a redirect from the address of the API to the reference, which the document does not describe. */
function checkWay(where: string, { path, headers, text }: ReceivedAnswer): void {
  const way = [path.replace(/\?.*$/s, ''), headers.location, headers['content-type'], text].join(' ')
  if (way !== ' v1/reference  ' && way !== '/ reference  ') throw new Error(`${where}: ${way}`)
}

/** The first fault stands beside all that were found. */
function checkIssues(where: string, { param, message, details }: Json): void {
  const [first] = details?.issues ?? []
  if (first?.param !== param || first?.message !== message)
    throw new Error(`${where}: the first of details.issues is not what param and message say.`)
}

function checkHeaders(where: string, answer: ReceivedAnswer, described: Json): void {
  const required = ['x-request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']
  if (answer.status === 429) required.push('retry-after')
  if (answer.status === 401) required.push('www-authenticate')
  if (answer.status === 405) required.push('allow')
  for (const name of required) {
    if (answer.headers[name] === undefined) throw new Error(`${where}: the header ${name} is missing.`)
  }
  const existing = new Set(Object.keys(described ?? {}).map(name => name.toLowerCase()))
  for (const name of Object.keys(apiDocument.components.headers)) {
    const value = answer.headers[name.toLowerCase()]
    if (value === undefined) continue
    const schema = apiDocument.components.headers[name].schema
    const typed = schema.type === 'integer' ? Number(value) : value
    const validate = validatorOf(`/components/headers/${name}/schema`)
    if (!validate(typed)) throw new Error(`${where}: ${name} is ${value}: ${ajv.errorsText(validate.errors)}`)
    if (described !== undefined && !existing.has(name.toLowerCase())) {
      throw new Error(`${where}: the document does not have the header ${name} here.`)
    }
  }
  if (answer.headers['cache-control'] !== 'no-store')
    throw new Error(`${where}: Cache-Control is not no-store.`)
  if (answer.headers['x-content-type-options'] !== 'nosniff') throw new Error(`${where}: nosniff is missing.`)
}

/** @returns the type without its parameters: JSON, or another that the document has for this status */
function checkType(where: string, { headers }: ReceivedAnswer, described: Json): string {
  const [, type = ''] = /^([a-z]+\/[a-z]+); charset=utf-8$/.exec(String(headers['content-type'])) ?? []
  if (type !== 'application/json' && described?.[type] === undefined)
    throw new Error(`${where}: the document does not have the type ${headers['content-type']} here.`)
  const disposition = headers['content-disposition']
  const isFile = type === 'text/csv'
  if (isFile ? !/^attachment; filename="[^"/]+"$/.test(String(disposition)) : disposition !== undefined)
    throw new Error(`${where}: Content-Disposition is ${disposition}.`)
  return type
}

function findOperation(method: string, path: string): { operation: Json; pointer: string } | undefined {
  const plain = path.replace(/\?.*$/s, '').replace(/^\/v1/, '')
  const name = (method === 'HEAD' ? 'GET' : method).toLowerCase()
  for (const template of Object.keys(apiDocument.paths)) {
    const pattern = new RegExp(`^${template.replace('{id}', '[^/]+')}$`)
    const operation = apiDocument.paths[template][name]
    if (pattern.test(plain) && operation) {
      return { operation, pointer: `/paths/${template.replaceAll('/', '~1')}/${name}` }
    }
  }
  return undefined
}

function resolve(pointer: string): Json {
  return pointer
    .split('/')
    .slice(1)
    .reduce((node, key) => node[key.replaceAll('~1', '/')], apiDocument)
}

function validatorOf(pointer: string): ValidateFunction {
  let validate = validators.get(pointer)
  if (validate === undefined) {
    validate = ajv.compile({ $ref: `api#${pointer.replaceAll('{', '%7B').replaceAll('}', '%7D')}` })
    validators.set(pointer, validate)
  }
  return validate
}
