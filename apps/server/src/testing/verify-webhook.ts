import { Webhook } from 'standardwebhooks'

/** A message as an endpoint has it; throws unless one of its signatures is of that secret, by the reference library. */
export function verifyMessage(
  { raw, headers }: { raw: string; headers: Record<string, string> },
  secret: string,
): unknown {
  return new Webhook(secret).verify(raw, headers)
}
