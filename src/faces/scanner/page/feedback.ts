export type Signal = 'admitted' | 'used' | 'refused' | 'alarm' | 'key'

/** Pitches are in hertz, times in seconds. A person can tell the sounds apart while looking at the guest. */
const tones: Readonly<Record<Signal, readonly (readonly [pitch: number, from: number, length: number])[]>> = {
  admitted: [
    [880, 0, 0.09],
    [1320, 0.09, 0.16],
  ],
  used: [
    [440, 0, 0.14],
    [440, 0.22, 0.14],
  ],
  refused: [[180, 0, 0.55]],
  alarm: [0, 0.35, 0.7, 1.05].flatMap(from => [
    [960, from, 0.16] as const,
    [640, from + 0.17, 0.16] as const,
  ]),
  key: [[660, 0, 0.04]],
}
const vibrations: Readonly<Record<Signal, number[]>> = {
  admitted: [80],
  used: [120, 90, 120],
  refused: [450],
  alarm: [300, 120, 300, 120, 300],
  key: [],
}

/** Gives sound and vibration. */
export class Feedback {
  isMuted = false
  #audio: AudioContext | undefined

  /** Unlocks the sound. A touch must call it, because nothing sounds without one. */
  unlock(): void {
    if (globalThis.AudioContext === undefined) return
    try {
      this.#audio ??= new AudioContext()
      void this.#audio.resume()
    } catch {
      // A phone without sound still shows the result.
    }
  }

  give(signal: Signal): void {
    if (vibrations[signal].length > 0) navigator.vibrate?.(vibrations[signal])
    const audio = this.#audio
    if (audio === undefined || this.isMuted) return
    // A call or a locked screen has stopped the sound.
    if (audio.state !== 'running') void audio.resume()
    for (const [pitch, from, length] of tones[signal]) play(audio, pitch, audio.currentTime + from, length)
  }
}

function play(audio: AudioContext, pitch: number, from: number, length: number): void {
  const source = audio.createOscillator()
  const volume = audio.createGain()
  source.type = pitch < 300 ? 'sawtooth' : 'triangle'
  source.frequency.value = pitch
  volume.gain.setValueAtTime(0.0001, from)
  volume.gain.exponentialRampToValueAtTime(0.6, from + 0.01)
  volume.gain.setValueAtTime(0.6, from + length - 0.02)
  volume.gain.exponentialRampToValueAtTime(0.0001, from + length)
  source.connect(volume).connect(audio.destination)
  source.start(from)
  source.stop(from + length)
}
