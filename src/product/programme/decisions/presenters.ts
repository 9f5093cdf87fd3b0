import { emailKey } from '#base/fields.ts'
import type { Abstract } from '#product/programme/abstracts/schemas.ts'

/** Returns those who present an abstract and can be mailed, but for its contact. */
export function presentersOf({
  authors,
  contact,
}: Pick<Abstract, 'authors' | 'contact'>): { name: string; email: string }[] {
  const others = new Map<string, { name: string; email: string }>()
  for (const { name, email, presenting } of authors) {
    if (!presenting || email === null || emailKey(email) === emailKey(contact.email)) continue
    others.set(emailKey(email), { name, email })
  }
  return [...others.values()]
}
