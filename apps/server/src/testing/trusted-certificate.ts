import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeEach } from 'vitest'
import { TEST_CERTIFICATE } from './test-certificate.ts'

/** Has each test of the suite begin in a process that trusts the test certificate; gives who else it trusts. */
export function trustTestCertificate(): string[] {
  const others = getCACertificates()
  beforeEach(() => setDefaultCACertificates([...others, TEST_CERTIFICATE.cert]))
  afterAll(() => setDefaultCACertificates(others))
  return others
}
