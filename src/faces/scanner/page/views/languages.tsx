import { type Language, languages, textsIn } from '../texts/texts.ts'
import type { ViewProps } from './props.ts'

export function Languages({ door, state }: ViewProps) {
  return (
    <fieldset class="choice">
      <legend>{textsIn(state.language).settings.language}</legend>
      {(Object.keys(languages) as Language[]).map(language => (
        <button
          key={language}
          type="button"
          lang={language}
          aria-pressed={state.language === language}
          onClick={() => door.speak(language)}
        >
          {languages[language]}
        </button>
      ))}
    </fieldset>
  )
}
