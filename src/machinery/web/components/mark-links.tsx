import { assetPath } from '../assets/assets.ts'
import { FAVICON_PATH } from '../assets/face.ts'

/** Links a page to Turnout's mark: as a drawing, and in pixels for browsers that show no drawing as an icon. */
export function MarkLinks() {
  return (
    <>
      <link rel="icon" href={FAVICON_PATH} sizes="32x32" />
      <link rel="icon" href={assetPath('mark.svg')} type="image/svg+xml" />
    </>
  )
}
