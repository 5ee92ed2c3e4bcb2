package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// certificates names the files of one start's public key infrastructure. The key of the authority itself is never stored:
// it signs one certificate and is forgotten.
type certificates struct {
	// authority is the PEM of the certificate that clients must trust.
	authority []byte
	// servingCert and servingKey are the API server's.
	servingCert, servingKey string
	// serviceAccountKey signs the tokens of service accounts and verifies them.
	serviceAccountKey string
}

// certificateLifetime exceeds the life of every control plane that forgets its data at the end.
const certificateLifetime = 365 * 24 * time.Hour

// newCertificates creates an authority and a serving certificate for the loopback addresses, and writes into dir what the
// API server has to read.
func newCertificates(dir string) (*certificates, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("create the directory for keys: %w", err)
	}
	c := &certificates{
		servingCert:       filepath.Join(dir, "apiserver.crt"),
		servingKey:        filepath.Join(dir, "apiserver.key"),
		serviceAccountKey: filepath.Join(dir, "service-accounts.key"),
	}

	authority := template("kopf-controlplane")
	authority.IsCA = true
	authority.BasicConstraintsValid = true
	authority.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature
	authorityKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("create the key of the authority: %w", err)
	}
	if c.authority, err = sign(authority, authority, authorityKey, authorityKey); err != nil {
		return nil, err
	}

	serving := template("kube-apiserver")
	serving.KeyUsage = x509.KeyUsageDigitalSignature
	serving.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	serving.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}
	serving.DNSNames = []string{"localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc"}
	servingKey, err := newKeyFile(c.servingKey)
	if err != nil {
		return nil, err
	}
	certificate, err := sign(serving, authority, servingKey, authorityKey)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(c.servingCert, certificate, 0o600); err != nil {
		return nil, fmt.Errorf("write the serving certificate: %w", err)
	}

	if _, err := newKeyFile(c.serviceAccountKey); err != nil {
		return nil, err
	}
	return c, nil
}

// template is a certificate for name with everything set that all of ours have in common. Validity begins an hour ago, so
// that a clock which is set back does not lock us out.
func template(name string) *x509.Certificate {
	now := time.Now()
	return &x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano()),
		Subject:      pkix.Name{CommonName: name},
		NotBefore:    now.Add(-time.Hour),
		NotAfter:     now.Add(certificateLifetime),
	}
}

// sign returns the PEM of a certificate for key, issued by parent.
func sign(certificate, parent *x509.Certificate, key, parentKey *ecdsa.PrivateKey) ([]byte, error) {
	der, err := x509.CreateCertificate(rand.Reader, certificate, parent, &key.PublicKey, parentKey)
	if err != nil {
		return nil, fmt.Errorf("sign the certificate of %s: %w", certificate.Subject.CommonName, err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), nil
}

// newKeyFile creates a key and writes it to path.
func newKeyFile(path string) (*ecdsa.PrivateKey, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("create key %s: %w", filepath.Base(path), err)
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, fmt.Errorf("encode key %s: %w", filepath.Base(path), err)
	}
	block := pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der})
	if err := os.WriteFile(path, block, 0o600); err != nil {
		return nil, fmt.Errorf("write key: %w", err)
	}
	return key, nil
}
