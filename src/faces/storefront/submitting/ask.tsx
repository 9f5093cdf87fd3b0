import type { ComponentChildren } from 'preact'
import type { Problem } from '#base/problem.ts'
import { Banner } from '#machinery/web/components/parts.tsx'
import { describeProblem } from '#texts/describe-problem.ts'
import type { Spoken } from './submission-view.ts'

interface AskProps {
  will: readonly string[]
  action: string
  submit: string
  leave: string
  leaveText: string
  children?: ComponentChildren
}

/** Says what will happen, and asks for one click. */
export function Ask({ will, action, submit, leave, leaveText, children }: AskProps) {
  return (
    <form method="post" action={action} class="card">
      <ul class="will">
        {will.map(line => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {children}
      <div class="end-bar">
        <button type="submit" class="button danger">
          {submit}
        </button>
        <a class="button plain" href={leave}>
          {leaveText}
        </a>
      </div>
    </form>
  )
}

export function Refused({ problem, voice }: { problem: Problem | undefined } & Pick<Spoken, 'voice'>) {
  if (problem === undefined) return null
  return (
    <Banner tone="bad">
      <p role="alert">{describeProblem(voice.texts, problem)}</p>
    </Banner>
  )
}
