import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeEach } from 'vitest'
import { TEST_CERTIFICATE } from './test-certificate.ts'

/** Makes each test of the suite start in a process that trusts the test certificate; returns whom else it trusts. */
export function trustTestCertificate(): string[] {
  const others = getCACertificates()
  beforeEach(() => setDefaultCACertificates([...others, TEST_CERTIFICATE.cert]))
  afterAll(() => setDefaultCACertificates(others))
  return others
}
