export function* tokensOf(text: string): Generator<string> {
  for (const [token] of text.matchAll(TOKENS)) yield token
}

const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g

export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

export const isOpening = (token: string): boolean => token === '{' || token === '['
export const isClosing = (token: string): boolean => token === '}' || token === ']'
