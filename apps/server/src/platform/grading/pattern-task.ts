export default function work({ pattern, text }: { pattern: string; text: string }): boolean {
  return new RegExp(pattern).test(text)
}
