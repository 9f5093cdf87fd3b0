interface File {
  width: number
  height: number
}

interface FittingPictureProps<Of extends File> {
  /** The same picture in several sizes, the smallest first. There is at least one. */
  files: readonly Of[]
  addressOf: (file: Of) => string
  /** How wide the page shows it, as the attribute `sizes` has it. */
  shown: string
  class?: string
  /** A picture that is `first` is what a visitor waits for. One that comes `later` is loaded once it is near the window. */
  when?: 'first' | 'soon' | 'later'
}

/** Shows a picture that says nothing that the words beside it do not. The browser loads the smallest file that fits. */
export function FittingPicture<Of extends File>(props: FittingPictureProps<Of>) {
  const { files, addressOf, shown, when = 'soon' } = props
  const largest = files.at(-1) as Of
  const choice = files.map(file => `${addressOf(file)} ${file.width}w`).join(', ')
  return (
    <img
      class={props.class}
      src={addressOf(largest)}
      srcset={files.length > 1 ? choice : undefined}
      sizes={files.length > 1 ? shown : undefined}
      width={largest.width}
      height={largest.height}
      alt=""
      loading={when === 'later' ? 'lazy' : undefined}
      fetchpriority={when === 'first' ? 'high' : undefined}
    />
  )
}
