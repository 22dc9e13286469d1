# Gives a new network namespace a loopback interface that answers for every address there is.
use strict;
use warnings;
use Socket;

use constant { RTM_NEWLINK => 16, RTM_NEWROUTE => 24, IFF_UP => 1, LO => 1 };
use constant { NLM_REQUEST_ACK => 0x5, NLM_CREATE => 0x400, TABLE_LOCAL => 255, SCOPE_HOST => 254, TYPE_LOCAL => 2 };

socket(my $netlink, 16, SOCK_RAW, 0) or die "no netlink socket: $!\n";

sub request {
  my ($what, $type, $flags, $body) = @_;
  send($netlink, pack('L S S L L', 16 + length $body, $type, NLM_REQUEST_ACK | $flags, 1, 0) . $body, 0)
    or die "$what: $!\n";
  recv($netlink, my $reply, 4096, 0);
  my $error = -unpack('x16 l', $reply);
  $! = $error;
  die "$what: $!\n" if $error;
}

request('lo up', RTM_NEWLINK, 0, pack('C x S l L L', AF_UNSPEC, 0, LO, IFF_UP, IFF_UP));
for my $family (AF_INET, AF_INET6) {
  my $route = pack('C8 L', $family, 0, 0, 0, TABLE_LOCAL, 3, SCOPE_HOST, TYPE_LOCAL, 0);
  request("route of family $family", RTM_NEWROUTE, NLM_CREATE, $route . pack('S S L', 8, 4, LO));
}
exec @ARGV or die "$ARGV[0]: $!\n" if @ARGV;
