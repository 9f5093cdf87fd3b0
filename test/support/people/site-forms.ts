import { request } from 'undici'
import { dataOf, parsePage } from './page-reader.ts'

/** A form of a page, as a browser would send it. */
export interface SiteForm {
  /** The path below the site, such as `/manage/sign-in`. */
  action: string
  fields: { name: string; value: string; isHidden: boolean }[]
  /** The name of its field for a file. */
  file?: string
}

/** A page that was read: its forms that write, and the names that its own links and searches ask by. */
export interface SitePage {
  path: string
  status: number
  forms: SiteForm[]
  queries: { path: string; names: readonly string[] }[]
}

/** Reads the forms of a page. @param post what a form before it sent */
export async function readSitePage(
  origin: string,
  path: string,
  headers: Record<string, string> = {},
  post?: URLSearchParams,
): Promise<SitePage> {
  const answer = await request(origin + path, {
    method: post === undefined ? 'GET' : 'POST',
    headers: {
      accept: 'text/html',
      'sec-fetch-site': 'same-origin',
      ...(post === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      ...headers,
    },
    body: post?.toString() ?? null,
  })
  const text = await answer.body.text()
  if (!String(answer.headers['content-type']).startsWith('text/html'))
    return { path, status: answer.statusCode, forms: [], queries: [] }
  const document = parsePage(text, origin + path)
  const all = [...document.forms]
  const queries = [
    ...all
      .filter(({ method }) => method === 'get')
      // A field may be named `action`, so the attribute is read instead of the property.
      .map(
        form =>
          [new URL(form.getAttribute('action') ?? '', origin + path).href, [...dataOf(form).keys()]] as const,
      ),
    ...[...document.querySelectorAll<HTMLAnchorElement>('a[href*="?"]')].map(
      ({ href }) => [href, [...new URL(href).searchParams.keys()]] as const,
    ),
  ]
  return {
    path,
    status: answer.statusCode,
    forms: all.filter(({ method }) => method === 'post').flatMap(form => formsOf(form, origin + path)),
    queries: queries
      .filter(([href]) => new URL(href).origin === origin)
      .map(([href, names]) => ({ path: new URL(href).pathname, names })),
  }
}

/** Returns one form for each button that leads elsewhere. */
function formsOf(form: HTMLFormElement, url: string): SiteForm[] {
  const buttons = [...form.querySelectorAll<HTMLButtonElement>('button[formaction]')]
  const actions = [form.getAttribute('action'), ...buttons.map(each => each.getAttribute('formaction'))]
  const values = new Map([...dataOf(form)].map(([name, value]) => [name, String(value)]))
  const controls = [...form.querySelectorAll<HTMLInputElement>('input, select, textarea')].filter(
    ({ name }) => name !== '',
  )
  const file = controls.find(({ type }) => type === 'file')?.name
  const names = new Map(
    controls.filter(({ type }) => type !== 'file').map(control => [control.name, control]),
  )
  // A box that is not ticked, or a choice that was not made, could be sent as well.
  const fields = [...names].map(([name, { type }]) => ({
    name,
    value: values.get(name) ?? '',
    isHidden: type === 'hidden',
  }))
  return [...new Set(actions)].map(action => ({
    ...{ action: new URL(action ?? url, url).pathname, fields },
    ...(file === undefined ? {} : { file }),
  }))
}

/** Whether a path is of this route: `/e/{event}/guests`. */
export function isOfRoute(path: string, route: string): boolean {
  const [parts, wanted] = [path.split('/'), route.split('/')]
  return (
    parts.length === wanted.length && wanted.every((part, at) => /\{\w+\}/.test(part) || part === parts[at])
  )
}
