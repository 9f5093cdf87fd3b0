import { languageNames, languages } from '#texts/languages.ts'
import { textsIn } from '../texts/texts.ts'
import type { ViewProps } from './props.ts'

export function Languages({ door, state }: ViewProps) {
  return (
    <fieldset class="choice">
      <legend>{textsIn(state.language).settings.language}</legend>
      {languages.map(language => (
        <button
          key={language}
          type="button"
          lang={language}
          aria-pressed={state.language === language}
          onClick={() => door.speak(language)}
        >
          {languageNames[language]}
        </button>
      ))}
    </fieldset>
  )
}
