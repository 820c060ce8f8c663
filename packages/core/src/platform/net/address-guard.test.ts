import { describe, expect, it } from 'vitest';
import { addressProblem, hostProblem } from './address-guard.js';

const PRIVATE_ADDRESSES = `
0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.100.100.200 100.127.255.255 127.0.0.1 127.255.255.254
168.63.129.16 169.254.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.192 192.0.2.1 192.88.99.1 192.168.0.1
192.168.255.255 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1 239.255.255.255 240.0.0.1
255.255.255.255
:: ::1 0:0:0:0:0:0:0:1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::FFFF:10.0.0.1 ::ffff:169.254.169.254 ::ffff:0:127.0.0.1
::127.0.0.1 ::7f00:1 64:ff9b::127.0.0.1 64:ff9b::a9fe:a9fe 64:ff9b:1::1 2002:7f00:1:: 2002:a00:1::1 2002:c0a8:101::
2001:0:53aa:64c::1 2001:db8::1 3fff:fff::1 fe80::1 fe80::1%eth0 febf::1 fec0::1 fc00::1 fd00:ec2::254
fdff:ffff::1 ff02::1 100::1 5f00::1 2a00:1450::5efe:127.0.0.1 2a00:1450::200:5efe:a00:1
`;

const PUBLIC_ADDRESSES = `
1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.1 169.253.255.255
169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.1 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0
223.255.255.255 168.63.129.17
2606:4700:4700::1111 2001:4860:4860::8888 ::ffff:8.8.8.8 64:ff9b::8.8.8.8 2002:808:808::1 2a00:1450::5efe:8.8.8.8
`;

/** Forms of a host as a model may write it in a URL. */
const LOCAL_HOSTS = `
localhost LOCALHOST localhost. localhost.. a.localhost localhost.localdomain printer.local nas.LOCAL.
metadata metadata.google.internal METADATA.google.internal. db.internal router.home.arpa
intranet jenkins ip6-localhost loopback instance-data wiki.corp nas.lan portal.intranet kubernetes.default.svc
127.0.0.1 127.0.0.1. 127.1 127.0.1 0177.1 0177.0.0.01 0x7f.1 0x7f000001 0X7F000001 2130706433 017700000001 0 0x0
0xa9fea9fe 2852039166 0251.0376.0251.0376 10.1 192.168.1 １２７.0.0.1 ①②⑦.⓪.⓪.① 127。0。0。1
[::1] ::1 [0:0:0:0:0:ffff:127.0.0.1] [::ffff:7f00:1] [fe80::1%25eth0] fe80::1%eth0 [64:ff9b::10.0.0.1] [fd00::1]
`;

const words = (text: string) => text.trim().split(/\s+/);

describe('addressProblem', () => {
  it.each(words(PRIVATE_ADDRESSES))('refuses %s', (address) => {
    expect(addressProblem(address)).toEqual(expect.any(String));
  });

  it.each(words(PUBLIC_ADDRESSES))('accepts %s', (address) => {
    expect(addressProblem(address)).toBeUndefined();
  });

  it.each(['', 'example.com', '1.2.3', '1.2.3.4.5', '::g', '0x7f000001', '[]'])(
    'refuses "%s", which is not an address',
    (text) => {
      expect(addressProblem(text)).toBe('not an IP address');
    },
  );

  it('says why an address is not public', () => {
    expect(addressProblem('127.0.0.1')).toBe('loopback');
    expect(addressProblem('::ffff:169.254.169.254')).toBe('link-local');
    expect(addressProblem('fd00::1')).toBe('private');
  });
});

describe('hostProblem', () => {
  it.each(words(LOCAL_HOSTS))('refuses %s', (host) => {
    expect(hostProblem(host)).toEqual(expect.any(String));
    const url = `http://${host}/`;
    if (URL.canParse(url)) expect(hostProblem(new URL(url).hostname)).toEqual(expect.any(String));
  });

  it.each(['', 'a b', '256.1.1.1', '[::g]', '1.2.3.4.5'])('refuses "%s", which is not a host', (host) => {
    expect(hostProblem(host)).toBe('not a valid host name');
  });

  it.each(
    words(
      'example.com EXAMPLE.com. notlocalhost.com localhost.example.com internal.example.com local.host 8.8.8.8 1.1 [2606:4700:4700::1111]',
    ),
  )('accepts %s', (host) => {
    expect(hostProblem(host)).toBeUndefined();
  });
});
