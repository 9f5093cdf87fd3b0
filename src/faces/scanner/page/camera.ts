import type { Decoder } from './decoder.ts'

export type CameraState =
  | 'off'
  | 'starting'
  | 'on'
  | 'asleep'
  /** The browser does not let this page use the camera. */
  | 'denied'
  /** The device has no camera. */
  | 'missing'
  /** Another program has the camera, or it failed. */
  | 'busy'
  /** No browser gives a camera to a page over plain http. */
  | 'insecure'
  /** The code reader did not load. */
  | 'no-decoder'

export interface CameraChoice {
  id: string
  label: string
}

export interface CameraView {
  state: CameraState
  choices: CameraChoice[]
  chosen: string | undefined
  torch: 'missing' | 'off' | 'on'
}

export interface CameraParts {
  decoder: Decoder
  steady: () => number
  /** @param seenAt when the camera took the picture, by the steady clock */
  onTexts(texts: readonly string[], seenAt: number): void
  onChange(view: CameraView): void
}

/** After this many milliseconds without a code or a touch, the camera rests. */
const IDLE = 3 * 60_000
/** The longer side is read with at most this many dots. More take longer, and a code at arm's length needs no more. */
const MOST_DOTS = 1280
/** If the browser does not announce each picture, the page reads one after this many milliseconds. */
const PICTURE = 40

interface TorchTrack {
  getCapabilities?(): { torch?: boolean }
}

/** Reads the camera of the phone as long as somebody is there. */
export class Camera {
  readonly video: HTMLVideoElement
  readonly #parts: CameraParts
  readonly #canvas = document.createElement('canvas')
  #stream: MediaStream | undefined
  #view: CameraView = { state: 'off', choices: [], chosen: undefined, torch: 'missing' }
  #usedAt = 0
  /** The number of the stream that is read. A new stream ends the reading of the old one. */
  #turn = 0

  constructor(parts: CameraParts) {
    this.#parts = parts
    this.video = document.createElement('video')
    this.video.muted = true
    this.video.playsInline = true
    this.video.setAttribute('aria-hidden', 'true')
  }

  get view(): CameraView {
    return this.#view
  }

  /** Sets the camera that was chosen before. */
  prefer(chosen: string): void {
    this.#view = { ...this.#view, chosen }
  }

  /** Starts the camera. A touch must call it, because iOS gives a camera to nothing else. */
  async start(chosen = this.#view.chosen): Promise<void> {
    this.stop('starting')
    const turn = this.#turn
    if (navigator.mediaDevices?.getUserMedia === undefined) {
      this.#change({ state: globalThis.isSecureContext ? 'missing' : 'insecure' })
      return
    }
    try {
      const stream = await open(chosen)
      if (turn !== this.#turn) {
        for (const track of stream.getTracks()) track.stop()
        return
      }
      this.#stream = stream
      this.video.srcObject = stream
      // If the picture moves within the page meanwhile, the first try fails.
      await this.video.play().catch(() => this.video.play())
      const [track] = stream.getVideoTracks()
      track?.addEventListener('ended', () => {
        if (turn === this.#turn) this.stop('asleep')
      })
      // Some cameras do not focus by themselves. TypeScript's own types lack this constraint.
      const focus = { advanced: [{ focusMode: 'continuous' } as MediaTrackConstraintSet] }
      void track?.applyConstraints(focus).catch(() => undefined)
      const hasTorch = (track as TorchTrack | undefined)?.getCapabilities?.().torch === true
      this.#change({
        state: 'on',
        chosen: track?.getSettings().deviceId ?? chosen,
        torch: hasTorch ? 'off' : 'missing',
        choices: await choices(),
      })
      await this.#parts.decoder.start().catch(() => this.stop('no-decoder'))
      this.touch()
      if (turn === this.#turn) void this.#read(turn)
    } catch (error) {
      if (turn === this.#turn) this.stop(stateOf(error))
    }
  }

  stop(state: CameraState = 'off'): void {
    this.#turn++
    for (const track of this.#stream?.getTracks() ?? []) track.stop()
    this.#stream = undefined
    this.video.srcObject = null
    this.#change({ state, torch: 'missing' })
  }

  /** Notes that somebody is there. */
  touch(): void {
    this.#usedAt = this.#parts.steady()
  }

  async toggleTorch(): Promise<void> {
    const [track] = this.#stream?.getVideoTracks() ?? []
    if (track === undefined || this.#view.torch === 'missing') return
    const torch = this.#view.torch === 'off'
    // TypeScript's own types lack this constraint: https://w3c.github.io/mediacapture-image/#torch
    const constraints = { advanced: [{ torch } as MediaTrackConstraintSet] }
    await track.applyConstraints(constraints).catch(() => undefined)
    this.#change({ torch: torch ? 'on' : 'off' })
  }

  async #read(turn: number): Promise<void> {
    const { decoder, onTexts, steady } = this.#parts
    while (turn === this.#turn) {
      await this.#nextPicture()
      if (turn !== this.#turn) return
      const seenAt = steady()
      if (seenAt - this.#usedAt > IDLE) {
        this.stop('asleep')
        return
      }
      const image = this.#grab()
      if (image === undefined || document.hidden) continue
      const texts = await decoder.read(image).catch(() => [])
      if (turn !== this.#turn) return
      if (texts.length > 0) onTexts(texts, seenAt)
    }
  }

  #nextPicture(): Promise<unknown> {
    const { video } = this
    return new Promise(resolve => {
      const timer = setTimeout(resolve, video.requestVideoFrameCallback === undefined ? PICTURE : 500)
      video.requestVideoFrameCallback?.(() => {
        clearTimeout(timer)
        resolve(undefined)
      })
    })
  }

  #grab(): ImageData | undefined {
    const { videoWidth, videoHeight } = this.video
    if (videoWidth === 0) return undefined
    const scale = Math.min(1, MOST_DOTS / Math.max(videoWidth, videoHeight))
    const width = Math.round(videoWidth * scale)
    const height = Math.round(videoHeight * scale)
    const canvas = this.#canvas
    if (canvas.width !== width) canvas.width = width
    if (canvas.height !== height) canvas.height = height
    const context = canvas.getContext('2d', { willReadFrequently: true, alpha: false })
    if (context === null) return undefined
    context.drawImage(this.video, 0, 0, width, height)
    return context.getImageData(0, 0, width, height)
  }

  #change(part: Partial<CameraView>): void {
    this.#view = { ...this.#view, ...part }
    this.#parts.onChange(this.#view)
  }
}

async function open(chosen: string | undefined): Promise<MediaStream> {
  const size = { width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30 } }
  const facing = { facingMode: { ideal: 'environment' } }
  if (chosen !== undefined) {
    try {
      const video = { ...size, deviceId: { exact: chosen } }
      return await navigator.mediaDevices.getUserMedia({ video, audio: false })
    } catch (error) {
      // The chosen camera is not there today.
      if (!(error instanceof DOMException && /Overconstrained|NotFound/.test(error.name))) throw error
    }
  }
  return navigator.mediaDevices.getUserMedia({ video: { ...size, ...facing }, audio: false })
}

async function choices(): Promise<CameraChoice[]> {
  const devices = await navigator.mediaDevices.enumerateDevices().catch(() => [])
  return devices
    .filter(({ kind, deviceId }) => kind === 'videoinput' && deviceId !== '')
    .map(({ deviceId, label }) => ({ id: deviceId, label }))
}

function stateOf(error: unknown): CameraState {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied'
  return name === 'NotFoundError' || name === 'OverconstrainedError' ? 'missing' : 'busy'
}
