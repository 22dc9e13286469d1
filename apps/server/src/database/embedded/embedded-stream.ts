import { Duplex } from 'node:stream'
import type { MessagePort } from 'node:worker_threads'

interface Watch {
  onSent: () => void
  onAnswered: () => void
  reason: () => Error
}

/** What `pg` takes for a socket: the wire protocol over a message port to the worker. */
export class EmbeddedStream extends Duplex {
  readonly #open: () => Promise<MessagePort>
  readonly #watch: Watch
  #port: MessagePort | null = null
  #outgoing: Uint8Array[] = []

  constructor(open: () => Promise<MessagePort>, watch: Watch) {
    super()
    this.#open = open
    this.#watch = watch
  }

  connect() {
    this.#open().then(
      (port) => this.#attach(port),
      (error) => this.destroy(error),
    )
    return this
  }

  setNoDelay() {
    return this
  }

  setKeepAlive() {
    return this
  }

  ref() {
    this.#port?.ref()
    return this
  }

  unref() {
    this.#port?.unref()
    return this
  }

  override _read() {}

  // The worker needs each batch whole, up to its Sync: `pg` writes one within a turn.
  override _write(chunk: Uint8Array, _encoding: BufferEncoding, done: () => void) {
    if (this.#outgoing.push(chunk) === 1) queueMicrotask(() => this.#flush())
    done()
  }

  override _final(done: () => void) {
    this.#flush()
    this.push(null)
    this.#port?.close()
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void) {
    this.#port?.close()
    done(error)
  }

  #attach(port: MessagePort) {
    if (this.destroyed) return port.close()
    this.#port = port
    port.on('message', (bytes: Uint8Array) => {
      this.#watch.onAnswered()
      this.push(bytes)
    })
    port.on('close', () => {
      if (this.destroyed || this.writableEnded) return
      this.destroy(this.#watch.reason())
    })
    this.emit('connect')
  }

  #flush() {
    if (this.#outgoing.length === 0 || this.#port === null) return
    const bytes = Uint8Array.from(Buffer.concat(this.#outgoing))
    this.#outgoing = []
    this.#port.postMessage(bytes, [bytes.buffer])
    this.#watch.onSent()
  }
}
