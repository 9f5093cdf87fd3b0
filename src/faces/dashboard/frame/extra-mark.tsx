import type { TypeKind } from '#product/catalog/registration-types/kinds.ts'
import type { Texts } from '#texts/texts.ts'

/** Says behind the name of a type in a table that it is an extra, as extras count apart from guests. */
export function ExtraMark({ kind, texts }: { kind: TypeKind; texts: Texts }) {
  return kind === 'extra' ? <span class="small quiet"> · {texts.tickets.kinds.extra}</span> : null
}
