import type { ComponentChildren } from 'preact'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { withBack } from '#faces/dashboard/frame/way-back.ts'
import { assetPath } from '#machinery/web/assets/assets.ts'

/** Stands for an id in the addresses that the script fills in. */
const ANY = 'ID'

/**
 * Lets people drag what stands in sessions, and abstracts into them, where there is a script. It sends what the forms send.
 *
 * @param here the address of the page, to which the forms lead back
 */
export function Dragging({
  here,
  request: { event },
  children,
}: {
  here: string
  request: EventRequest
  children: ComponentChildren
}) {
  return (
    <div
      class="stack"
      id="programme"
      data-move={withBack(paths.slot(event.id, ANY, 'move'), here)}
      data-place={withBack(paths.placeAbstract(event.id, ANY), here)}
    >
      {children}
      <script type="module" src={assetPath('programme.js')} />
    </div>
  )
}
