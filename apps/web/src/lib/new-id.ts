const BYTES = 16

/** A random id. Browsers give `crypto.randomUUID` on secure origins only; a home network's http address is none. */
export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(BYTES)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
