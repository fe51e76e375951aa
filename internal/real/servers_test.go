package real

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
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"dogear/internal/testenv"
)

// httpbin starts httpbin under gunicorn and returns its URL.
func httpbin(t *testing.T) string {
	t.Helper()
	onDemand(t)
	program := testenv.Tool(t, "gunicorn", "gunicorn")
	bin := func() error { return exec.Command("/usr/bin/python3", "-c", "import httpbin, brotli").Run() }
	if bin() != nil {
		testenv.Package(t, "python3-httpbin")
	}
	if err := bin(); err != nil {
		t.Fatalf("httpbin can't be imported: %v", err)
	}
	s := testenv.NewServer(t)
	s.Run(t, program, "--bind", s.Address(), "--worker-class", "gthread", "--threads", "16", "--keep-alive", "5",
		"httpbin:app")
	return "http://" + s.Address()
}

// nginx starts an nginx with these lines in its server block, and CONFIG_DIR and PORT put in, and what stands outside
// of it.
func nginx(t *testing.T, outside, inside string) *testenv.Server {
	t.Helper()
	onDemand(t)
	program := testenv.Tool(t, "nginx", "nginx-light")
	s := testenv.NewServer(t)
	config := fmt.Sprintf(`daemon off; master_process off; worker_processes 1; error_log stderr warn; pid DIR/pid;
events { worker_connections 512; }
http {
  access_log off; client_body_temp_path DIR/c; proxy_temp_path DIR/p; fastcgi_temp_path DIR/f; uwsgi_temp_path DIR/u; scgi_temp_path DIR/s;
  %s
  server { listen 127.0.0.1:%d TLS; %s }
}
`, outside, s.Port, inside)
	tls := ""
	if strings.Contains(inside, "ssl_certificate") {
		tls = "ssl http2"
	}
	s.Write(t, "nginx.conf", strings.NewReplacer("DIR", s.Dir, "TLS", tls, "CERT", certificate).Replace(config))
	s.Run(t, program, "-p", s.Dir, "-c", filepath.Join(s.Dir, "nginx.conf"), "-e", "stderr")
	return s
}

// dante starts a SOCKS5 server that asks for nothing.
func dante(t *testing.T) *testenv.Server {
	t.Helper()
	onDemand(t)
	program := testenv.Tool(t, "danted", "dante-server")
	s := testenv.NewServer(t)
	s.Write(t, "danted.conf", fmt.Sprintf(`logoutput: stderr
internal: 127.0.0.1 port = %d
external: lo
clientmethod: none
socksmethod: none
user.privileged: root
user.unprivileged: root
client pass { from: 127.0.0.0/8 to: 0.0.0.0/0 }
socks pass { from: 127.0.0.0/8 to: 0.0.0.0/0 }
`, s.Port))
	s.Run(t, program, "-f", filepath.Join(s.Dir, "danted.conf"), "-p", filepath.Join(s.Dir, "pid"), "-N", "1")
	return s
}

// upstream is what stands behind nginx: each connection has its request read and is handed to say, then closed.
func upstream(t *testing.T, say func(net.Conn)) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var running sync.WaitGroup
	running.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			running.Go(func() {
				defer conn.Close()
				_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
				_, _ = conn.Read(make([]byte, 4096))
				say(conn)
			})
		}
	})
	t.Cleanup(func() { _ = listener.Close(); running.Wait() })
	return "http://" + listener.Addr().String()
}

// certificate is the file of one for 127.0.0.1 and of its key, which this process trusts.
var certificate string

func makeCertificate(dir string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	c := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "dogear test"}, IPAddresses: []net.IP{net.IPv4(127, 0,
			0, 1)},
		DNSNames: []string{"localhost"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA:                  true,
		BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &key.PublicKey, key)
	if err != nil {
		return err
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	certificate = filepath.Join(dir, "both.pem")
	both := append(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})...)
	if err := os.WriteFile(certificate, both, 0o600); err != nil {
		return err
	}
	return os.Setenv("SSL_CERT_FILE", certificate) // read at the first handshake
}
