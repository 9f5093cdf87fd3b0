import { Banner } from '#machinery/web/components/parts.tsx'
import type { Voice } from '#machinery/web/voice.ts'
import type { Content } from '#product/programme/submissions/content.ts'
import { type Formulas, lacksFormula } from '#product/programme/submissions/formulas.ts'

/** Says that a formula is shown as it is typed, if one is. */
export function FormulaNote({
  sections,
  formulas,
  voice,
}: {
  sections: Content['sections']
  formulas: Formulas
  voice: Voice
}) {
  if (!lacksFormula(sections, formulas)) return null
  return (
    <Banner tone="warn">
      <p>{voice.texts.calls.formulaAsTyped}</p>
    </Banner>
  )
}
